/*
 * The name of several lists of a JSON document whose rows are shown one after the other:
 * `Results[].Vulnerabilities[] + Results[].Secrets[]`. What looks like this in the name of a member is escaped.
 */

const joint = ' + ';

export function joinLists(names: readonly string[]): string {
  return names.join(joint);
}

/** The names of single lists in a name, each once. */
export function splitLists(name: string): readonly string[] {
  return [...new Set(name.split(joint))];
}

/** The name of the lists in either of two names; `undefined` if these have none in common. */
export function uniteLists(one: string, other: string): string | undefined {
  const [all, more] = [splitLists(one), splitLists(other)];
  const isShared = all.some((each) => more.includes(each));
  return isShared ? joinLists([...new Set([...all, ...more])]) : undefined;
}

/*
 * The name of several lists of a JSON document whose rows are shown one after the other:
 * `Results[].Vulnerabilities[] + Results[].Secrets[]`. What looks like this in the name of a member is escaped.
 */

const joint = ' + ';

export function joinLists(names: readonly string[]): string {
  return names.join(joint);
}

/** The names of single lists in a name. */
export function splitLists(name: string): readonly string[] {
  return name.split(joint);
}

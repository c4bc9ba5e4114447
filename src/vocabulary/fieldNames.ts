/** Asks about names are remembered: the rows of a table repeat the same few names thousands of times. */
const maxRemembered = 1_000;
/** A file may have names of any length, which would stay in memory. */
const maxRememberedLength = 100;

/** Remembers the answers of a function of a name, for the first names of usual length. */
export function rememberByName<Answer>(ask: (name: string) => Answer): (name: string) => Answer {
  const answers = new Map<string, Answer>();
  return (name) => {
    const known = answers.get(name);
    if (known !== undefined || answers.has(name)) {
      return known as Answer;
    }
    const answer = ask(name);
    if (answers.size < maxRemembered && name.length <= maxRememberedLength) {
      answers.set(name, answer);
    }
    return answer;
  };
}

/** Converts a name to snake case, regardless of how its words are joined. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
    .toLowerCase();
}

/** A name, or several joined by dots, in snake case: `CauseMetadata.StartLine` is `cause_metadata.start_line`. */
export const memberKey = rememberByName((name) =>
  name.split('.').map(snakeCase).filter(Boolean).join('.'),
);

/** The last two parts of a nested name, such as `package_name` of `dependency.package.name`. */
export function lastTwoNames(name: string): string {
  return name.split('.').slice(-2).map(snakeCase).join('_');
}

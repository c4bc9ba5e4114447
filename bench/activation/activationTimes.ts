/** Environment variable with the file for the StartTimes. */
export const startVariable = 'SCORECARD_BENCH_START';

/** The measurements of VS Code about its start. */
export interface StartTimes {
  /** The text of its command "Developer: Startup Performance". */
  readonly statistics: string;
  /** The marks that it sets in the extension host before and after each step. */
  readonly marks: readonly Mark[];
}

export interface MeasuredStart extends StartTimes {
  /** Milliseconds until the first command, List Reports, has returned. */
  readonly firstCommand: number;
}

export interface Mark {
  readonly name: string;
  /** In milliseconds since the epoch. */
  readonly startTime: number;
}

/**
 * Milliseconds that extensions needed to load and to return from `activate`, by extension ID.
 *
 * The statistics also have a time for loading. It is not used: it begins before VS Code waits for the texts of an
 * extension, so it counts all other extensions that are loaded meanwhile.
 */
export function activationTimes({ statistics, marks }: StartTimes): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const line of statistics.split('\n')) {
    // | id | eager | load code | call activate | finish activate | ...
    const [, id = '', eager, , call] = line.split('|').map((cell) => cell.trim());
    const load = loadTime(id, marks);
    if (/^(true|false)$/.test(eager ?? '') && load !== undefined) {
      times.set(id, load + Number(call));
    }
  }
  return times;
}

function loadTime(id: string, marks: readonly Mark[]): number | undefined {
  const at = (step: string) =>
    marks.find(({ name }) => name === `code/extHost/${step}LoadExtensionCode/${id}`)?.startTime;
  const [before, after] = [at('will'), at('did')];
  return before === undefined || after === undefined ? undefined : after - before;
}

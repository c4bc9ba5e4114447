/** The id of the extension, as VS Code writes it. */
export const extensionId = 'scorecard-tools.scorecard-explorer';

/** Environment variable with the file that VS Code's statistics of its start are written to. */
export const statisticsVariable = 'SCORECARD_BENCH_STATISTICS';

/** Milliseconds that extensions took to load and to return from `activate`, by extension ID. */
export function activationTimes(statistics: string): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const line of statistics.split('\n')) {
    // | id | eager | load code | call activate | finish activate | ...
    const [, id, eager, load, call] = line.split('|').map((cell) => cell.trim());
    if (id !== undefined && /^(true|false)$/.test(eager ?? '')) {
      times.set(id, Number(load) + Number(call));
    }
  }
  return times;
}

/** How often a property is tried: by `SCORECARD_RUNS`, 500 where it is not set. */
export const runs = Number(process.env.SCORECARD_RUNS ?? 500);

/** What the tries are drawn from: by `SCORECARD_SEED`, another one each time where it is not set. */
export const seed = Number(process.env.SCORECARD_SEED ?? Math.floor(Math.random() * 2 ** 31));

/** A task that can start as soon as its needs are met. */
export interface Task {
  readonly needs: readonly Promise<unknown>[];
}

/**
 * Runs tasks in several lanes at once. A free lane runs the first task whose needs are met, so that
 * nothing waits while there is work. A need that fails counts as met: its tasks find out what is wrong.
 */
export async function runPool<T extends Task>(
  tasks: readonly T[],
  lanes: number,
  run: (task: T, lane: number) => Promise<void>,
): Promise<void> {
  const open = [...tasks];
  const met = new Set<Promise<unknown>>();
  const isReady = ({ needs }: T) => needs.every((need) => met.has(need));
  const settled = new Map<Promise<unknown>, Promise<void>>();
  for (const need of tasks.flatMap(({ needs }) => needs)) {
    const meet = () => {
      met.add(need);
    };
    settled.set(need, need.then(meet, meet));
  }
  // A need that is already met is only known after this microtask.
  await Promise.resolve();
  const work = async (lane: number): Promise<void> => {
    while (open.length > 0) {
      const at = open.findIndex(isReady);
      const [task] = at < 0 ? [] : open.splice(at, 1);
      if (task) {
        await run(task, lane);
      } else {
        const awaited = open.flatMap(({ needs }) => needs).filter((need) => !met.has(need));
        await Promise.race(awaited.map((need) => settled.get(need) ?? need));
      }
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, lane) => work(lane)));
}

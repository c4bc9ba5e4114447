/** Runs operations one at a time, in the order of the calls to `run`. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  run<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.last.then(operation);
    this.last = result.catch(() => undefined);
    return result;
  }
}

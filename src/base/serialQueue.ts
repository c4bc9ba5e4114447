/** Runs operations one after the other, in the order in which they were given. */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** Runs the operation when all earlier ones have ended, however they ended. */
  run<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.last.then(operation);
    this.last = result.catch(() => undefined);
    return result;
  }
}

import type { Disposable } from './disposable';

/** A function that registers a listener; the same shape as VS Code's events. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** An event source for the parts of the product that run without VS Code. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<(value: T) => void>();

  readonly event: Event<T> = (listener) => {
    // Wrapped, so that one function registered twice is two listeners.
    const entry = (value: T) => {
      listener(value);
    };
    this.listeners.add(entry);
    return { dispose: () => this.listeners.delete(entry) };
  };

  /** Tells every listener; the first error that one throws is thrown when all have been told. */
  fire(value: T): void {
    const errors: unknown[] = [];
    for (const listener of [...this.listeners]) {
      try {
        listener(value);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) {
      throw errors[0];
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}

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

  fire(value: T): void {
    for (const listener of [...this.listeners]) {
      listener(value);
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}

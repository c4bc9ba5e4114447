import type { Disposable } from './disposable';

/** A function that registers a listener; the same shape as VS Code's events. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

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

  /**
   * @param onError gets each error of a listener. Without it, `fire` throws the first one: for events that are
   *   fired in the middle of work, which must go on.
   */
  constructor(private readonly onError?: (error: unknown) => void) {}

  /** Calls every listener, whatever they throw. */
  fire(value: T): void {
    const errors: unknown[] = [];
    for (const listener of [...this.listeners]) {
      try {
        listener(value);
      } catch (error) {
        errors.push(error);
      }
    }
    if (this.onError) {
      for (const error of errors) {
        this.onError(error);
      }
    } else if (errors.length > 0) {
      throw errors[0];
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}

/** Something that holds a resource until it is disposed; VS Code's own Disposable fits too. */
export interface Disposable {
  dispose(): unknown;
}

/** Registers something to be disposed later, and returns it. */
export type AddDisposable = <T extends Disposable>(item: T) => T;

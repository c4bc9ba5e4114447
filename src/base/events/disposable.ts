/** Something that holds a resource until it is disposed; VS Code's own Disposable fits too. */
export interface Disposable {
  dispose(): unknown;
}

/** Takes over the disposal of something, and returns it. */
export type AddDisposable = <T extends Disposable>(item: T) => T;

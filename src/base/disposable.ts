/** Something that holds a resource until it is disposed; VS Code's own Disposable fits too. */
export interface Disposable {
  dispose(): unknown;
}

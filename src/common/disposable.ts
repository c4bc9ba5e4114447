/** Something that holds a resource until it is disposed; VS Code's own Disposable fits too. */
export interface Disposable {
  dispose(): unknown;
}

/** Holds disposables and disposes them together, last added first; later ones at once. */
export class DisposableStore implements Disposable {
  private readonly items: Disposable[] = [];
  private disposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.disposed) {
      item.dispose();
    } else {
      this.items.push(item);
    }
    return item;
  }

  dispose(): void {
    this.disposed = true;
    for (const item of this.items.splice(0).reverse()) {
      item.dispose();
    }
  }
}

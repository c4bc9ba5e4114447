/** Something that happens again and again, and that others wait for. */
export class Signal {
  private resolve: () => void = () => undefined;
  private happened = this.renewed();

  next(): Promise<void> {
    return this.happened;
  }

  fire(): void {
    const { resolve } = this;
    this.happened = this.renewed();
    resolve();
  }

  private renewed(): Promise<void> {
    return new Promise((resolve) => {
      this.resolve = resolve;
    });
  }
}

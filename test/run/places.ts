/** Places that work takes turns at, first come, first served. */
export class Places {
  private readonly free: number[];
  private readonly waiting: ((place: number) => void)[] = [];

  constructor(count: number) {
    this.free = Array.from({ length: count }, (_, at) => at + 1);
  }

  /** @param work is told its place, counted from 1. */
  async take<T>(work: (place: number) => Promise<T>): Promise<T> {
    const place =
      this.free.shift() ?? (await new Promise<number>((resolve) => this.waiting.push(resolve)));
    try {
      return await work(place);
    } finally {
      const next = this.waiting.shift();
      if (next) {
        next(place);
      } else {
        this.free.push(place);
      }
    }
  }
}

/** Calls back when nothing was heard for so long, in milliseconds, since the start or since the last time. */
export class Silence {
  private readonly timer: NodeJS.Timeout;

  constructor(limitMs: number, onLimit: () => void) {
    this.timer = setTimeout(onLimit, limitMs);
  }

  heard(): void {
    // Of a timer that was cleared this sets none, and a process that hears late lines can end.
    this.timer.refresh();
  }

  stop(): void {
    clearTimeout(this.timer);
  }
}

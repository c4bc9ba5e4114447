import { add, nothing, type Counts } from './counts';

/** The results of a stage so far; prints them when its last task is done. */
export class Stage {
  counts = nothing;
  private open = 0;
  private started: number | undefined;

  constructor(private readonly name: string) {}

  expect(): void {
    this.open += 1;
  }

  begin(): void {
    this.started ??= Date.now();
  }

  add(result: Counts): void {
    const failures = result.failures.map((text) => `${this.name}: ${text}`);
    failures.forEach(print);
    this.counts = add(this.counts, { ...result, failures });
    this.open -= 1;
    if (this.open === 0) {
      const seconds = ((Date.now() - (this.started ?? 0)) / 1000).toFixed(1);
      const { passed, failures: failed } = this.counts;
      const outcome = failed.length > 0 ? `${failed.length} failed` : 'ok';
      const tests = passed > 0 ? `, ${passed} tests passed` : '';
      print(`=== ${this.name}: ${outcome}${tests} (${seconds} s)`);
    }
  }
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

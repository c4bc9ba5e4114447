import type { KeptPages } from './keptPages';
import type { PageFlights } from './pageFlights';
import type { LoadedPage } from './sparseRows';

/** Takes up, before a list asks for anything, what a Load All had loaded when the window was reloaded. */
export class PutBack {
  private running: Promise<void> | undefined;
  private hasEnded = false;

  /** @param takeUp gets the pages, at most once. */
  constructor(
    private readonly kept: KeptPages | undefined,
    private readonly takeUp: (pages: readonly LoadedPage[]) => void,
  ) {}

  /** Whether something may be there that was not taken up. */
  get isDue(): boolean {
    return this.kept !== undefined && !this.hasEnded;
  }

  /** Tries it; once more at the next call where a living process has the pages. */
  run(): Promise<void> {
    this.running ??= this.restore().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Nothing is taken up any more: the list is loaded anew, or keeps pages of its own. */
  end(): void {
    this.hasEnded = true;
  }

  private async restore(): Promise<void> {
    const pages = await this.kept?.restore();
    if (pages && !this.hasEnded) {
      this.hasEnded = true;
      this.takeUp(pages);
    }
  }
}

/** Adds kept pages where nothing is held or on its way. */
export function addKept(pages: PageFlights, kept: readonly LoadedPage[]): void {
  for (const page of kept) {
    const free = pages.free(page.offset);
    if (free?.offset === page.offset && page.offset + page.limit <= free.end) {
      pages.rows.add(page);
    }
  }
}

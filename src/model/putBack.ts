import { type Breathe, breather } from '../common/breather';
import type { KeptPages } from './keptPages';
import type { PageFlights } from './pageFlights';
import type { LoadedPage } from './sparseRows';

/** Takes up, before a list asks for anything, what a Load All had loaded when the window was reloaded. */
export class PutBack {
  private running: Promise<void> | undefined;
  private hasEnded = false;
  private reading = false;

  /**
   * @param takeUp gets the pages, at most once; it may take its time, and has to look whether
   * nothing is to be taken up any more.
   * @param onReading told when reading begins that may take long, and when it has ended.
   */
  constructor(
    private readonly kept: KeptPages | undefined,
    private readonly takeUp: (pages: readonly LoadedPage[], isOver: () => boolean) => Promise<void>,
    private readonly onReading: () => void = () => undefined,
  ) {}

  /** Whether pages are being read and taken up. */
  get isReading(): boolean {
    return this.reading;
  }

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
    try {
      const pages = await this.kept?.restore(() => {
        this.reading = true;
        this.onReading();
      });
      if (pages && !this.hasEnded) {
        await this.takeUp(pages, () => this.hasEnded);
        this.hasEnded = true;
      }
    } finally {
      if (this.reading) {
        this.reading = false;
        this.onReading();
      }
    }
  }
}

/** Adds kept pages where nothing is held or on its way, in slices; until it is over. */
export async function addKept(
  pages: PageFlights,
  kept: readonly LoadedPage[],
  isOver: () => boolean,
  breathe: Breathe = breather(),
): Promise<void> {
  for (const page of kept) {
    if (isOver()) {
      return;
    }
    const free = pages.free(page.offset);
    if (free?.offset === page.offset && page.offset + page.limit <= free.end) {
      pages.rows.add(page);
    }
    await breathe();
  }
}

import type { TableHandle } from '../../../engine';

/** A table that is read, and what removes its temporary files. */
export interface UsedTable {
  readonly table: TableHandle;
  release(): Promise<void>;
}

interface Entry {
  readonly opening: Promise<UsedTable>;
  uses: number;
}

/** How many tables stay open: an agent asks several questions about a file. Each has a thread. */
const maxOpen = 3;

/** How many are used at the same time; others wait. */
const maxUses = 4;

/** The tables that the server has open, those last used. */
export class OpenTables {
  /** By what tells the content apart; that which was used last is last. */
  private readonly entries = new Map<string, Entry>();
  private uses = 0;
  private readonly waiting: (() => void)[] = [];

  /**
   * Works with a table, which is opened if it is not yet. @param key another one for other content of the same file.
   * @throws as `open` and `work` do
   */
  async use<T>(
    key: string,
    open: () => Promise<UsedTable>,
    work: (table: TableHandle) => Promise<T>,
  ): Promise<T> {
    await this.enter();
    const entry = this.find(key) ?? { opening: open(), uses: 0 };
    this.entries.delete(key);
    this.entries.set(key, entry);
    entry.uses++;
    try {
      const { table } = await entry.opening.catch((error: unknown) => {
        this.forget(key, entry);
        throw error;
      });
      try {
        return await work(table);
      } finally {
        if (table.ended) {
          this.forget(key, entry);
        }
      }
    } finally {
      entry.uses--;
      await this.closeUnused(maxOpen);
      this.leave();
    }
  }

  /** Closes all tables. */
  async close(): Promise<void> {
    for (const { opening } of this.entries.values()) {
      await closeEntry(opening);
    }
    this.entries.clear();
  }

  private find(key: string): Entry | undefined {
    return this.entries.get(key);
  }

  private forget(key: string, entry: Entry): void {
    if (this.entries.get(key) === entry) {
      this.entries.delete(key);
      closeEntry(entry.opening).then(undefined, () => undefined);
    }
  }

  private async closeUnused(most: number): Promise<void> {
    for (const [key, { opening, uses }] of this.entries) {
      if (this.entries.size <= most) {
        return;
      }
      if (uses === 0) {
        this.entries.delete(key);
        await closeEntry(opening);
      }
    }
  }

  private async enter(): Promise<void> {
    if (this.uses < maxUses) {
      this.uses++;
      return;
    }
    await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private leave(): void {
    const next = this.waiting.shift();
    if (next) {
      next();
    } else {
      this.uses--;
    }
  }
}

async function closeEntry(opening: Promise<UsedTable>): Promise<void> {
  const opened = await opening.catch(() => undefined);
  await opened?.table.close();
  await opened?.release();
}

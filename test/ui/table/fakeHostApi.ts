import type { Ask, PageAction, PageMessage } from '../../../src/table/protocol';
import type { Field, TableErrorCode, TableInfo } from '../../../src/table/types';
import type { Theme } from './themes';

/** How the table behind the page is. */
export interface FakeHostOptions {
  readonly rows: number;
  /** Told to the page; if any, the rows that `isWrong` names are wrong. */
  readonly wrongRows: number;
  readonly info: Partial<TableInfo>;
  /** What every record has besides its columns. */
  readonly fields: readonly Pick<Field, 'name' | 'cell'>[];
  readonly theme: Theme;
}

/** What a test can do to the host inside the page. */
export interface FakeHostApi {
  readonly received: PageMessage[];
  clipboard: string;
  update(change: Partial<TableInfo>): void;
  do(action: PageAction): void;
  /** Keeps answers of this kind back. */
  hold(type: Ask): void;
  /** Gives answers that were kept back, also the last first. Returns how many there were. */
  release(type: Ask, reverse?: boolean): number;
  /** Makes the next question of this kind fail. */
  fail(type: Ask, code: TableErrorCode, message: string): void;
  progress(id: number, share: number): void;
  /** Shows secrets or masks them, as another page of the same file would. */
  reveal(on: boolean): void;
  /** Tells that there is no table any more. */
  end(message: string): void;
}

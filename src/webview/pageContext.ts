import type { Criteria } from './criteria';
import type { Announcer } from './dom';
import type { Grid } from './grid/grid';
import type { HostLink } from './hostLink';
import type { FileAbout, LabeledFilter, SummaryParams, TableTab } from './protocol';
import type { TableView } from './tableView';
import type { Texts } from './texts';

/** Where rows lead in the workspace. */
interface PageLinks {
  /** Whether a folder is open, in which files can be found. */
  readonly hasWorkspace: boolean;
  /** Whether rows may name files of the workspace. */
  readonly hasFiles: boolean;
  /** Whether the findings are listed in the Problems view. */
  readonly inProblems: boolean;
  openFile(record: number): void;
  findAsset(record: number): void;
  toggleProblems(): void;
}

/**
 * What several parts of the page use. The page implements it, and each part picks what it needs. No part
 * imports the page, which imports them all.
 */
export interface PageContext {
  readonly texts: Texts;
  readonly link: HostLink;
  readonly view: TableView;
  readonly grid: Grid;
  readonly announcer: Announcer;
  readonly about: FileAbout;
  readonly overview: { readonly params: SummaryParams };
  readonly memory: { saveSoon(): void };
  readonly links: PageLinks;
  /** Whether the rows identify findings of the service. */
  readonly hasFindings: boolean;
  changeCriteria(change: Partial<Criteria>): void;
  /** Shows a tab, and focuses what it has. */
  show(tab: TableTab): void;
  focusShown(): void;
  /** Shows only the rows that were chosen in the overview. */
  showChosen(chosen: LabeledFilter): void;
  showFilterRow(on: boolean): void;
  showRecord(on: boolean): void;
  /** Shows the live finding that a record is about. */
  showFinding(record: number): void;
  /** Shows and announces an outcome. */
  showOutcome(outcome: string): void;
  draw(): void;
}

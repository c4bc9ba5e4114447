import type { Column, ColumnId } from '../engine/types';
import { locationColumns } from '../engine/values/codeLocation';
import type { PageContext } from './pageContext';
import type { HostMessage, ProblemsState } from './protocol';

type Workspace = Pick<Extract<HostMessage, { type: 'init' }>, 'hasWorkspace' | 'inProblems'>;

type WorkspaceLinks = PageContext['links'];

/** What the page knows of the workspace: which columns lead to files, and whether findings are in Problems. */
export class PageLinks implements WorkspaceLinks {
  private state: Workspace = { hasWorkspace: false, inProblems: false };
  /** The columns that were looked at, and those among them that lead to files. */
  private known: { readonly count: number; readonly ids: ReadonlySet<ColumnId> } | undefined;

  constructor(
    private readonly page: Pick<PageContext, 'texts' | 'link' | 'view' | 'showOutcome' | 'draw'>,
  ) {}

  /** Called when the host starts, or starts over. */
  start({ hasWorkspace, inProblems }: Workspace): void {
    this.state = { hasWorkspace, inProblems };
    this.known = undefined;
  }

  /** Whether a folder is open, in which files can be found. */
  get hasWorkspace(): boolean {
    return this.state.hasWorkspace;
  }

  /** Whether rows may name files of the workspace. */
  get hasFiles(): boolean {
    return this.hasWorkspace && this.fileColumns.size > 0;
  }

  get inProblems(): boolean {
    return this.state.inProblems;
  }

  /** Whether the values of a column lead to files. */
  isFileColumn(column: ColumnId): boolean {
    return this.hasWorkspace && !this.page.view.grouped && this.fileColumns.has(column);
  }

  /** Opens the file that a record of the view names, unless it is a group. */
  openFileOf(record: number | undefined): void {
    if (record !== undefined && this.hasWorkspace) {
      this.openFile(record);
    }
  }

  openFile(record: number): void {
    this.page.link.send({ type: 'openFile', record });
  }

  findAsset(record: number): void {
    this.page.link.send({ type: 'findAsset', record });
  }

  toggleProblems(): void {
    this.page.link.send({ type: 'toggleProblems' });
  }

  /** Called when the host has listed the findings in Problems, or no longer lists them. */
  problemsChanged({ on, listed, hasMore = false }: ProblemsState): void {
    const { page } = this;
    const { texts } = page;
    const wasOn = this.inProblems;
    this.state = { ...this.state, inProblems: on };
    if (listed === 0) {
      page.showOutcome(texts.get('noneInProblems'));
    } else if (listed !== undefined) {
      const all = listed === 1 ? 'oneInProblems' : 'inProblems';
      page.showOutcome(texts.get(hasMore ? 'worstInProblems' : all, listed));
    } else if (wasOn && !on) {
      page.showOutcome(texts.get('noLongerInProblems'));
    } else {
      page.draw();
    }
  }

  /** Columns are only added while the file is read, and their names stay. */
  private get fileColumns(): ReadonlySet<ColumnId> {
    const columns: readonly Column[] = this.page.view.info.columns;
    if (this.known?.count !== columns.length) {
      const ids = new Set(locationColumns(columns).map(({ id }) => id));
      this.known = { count: columns.length, ids };
    }
    return this.known.ids;
  }
}

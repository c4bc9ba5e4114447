import { render } from 'preact';
import { TextButton } from '../components';
import { element, keepFocus } from '../dom';
import { whyNoRows } from '../emptyTable';
import type { PendingCall } from '../hostLink';
import type { PageContext } from '../pageContext';
import type { PageState } from '../pageState';
import type { LabeledFilter, SummaryParams } from '../protocol';
import type { Overview } from '../../engine/overviewTypes';
import type { ColumnId } from '../../engine/types';
import { type ComparisonAbout, hasChanges } from '../../engine/values/comparisonAbout';
import { TableError } from '../../engine/values/tableError';
import { comparedSides, comparisonFacts } from './comparisonModel';
import { comparisonParts } from './comparisonOverview';
import { countTable } from './countTable';
import type { Section } from './countRows';
import { fileContext, overviewModel, type OverviewModel, sinceText } from './overviewModel';

/** What is needed of the page. */
type OverviewPage = Pick<
  PageContext,
  'texts' | 'link' | 'view' | 'announcer' | 'about' | 'memory' | 'showChosen'
>;

/**
 * The counts of a file. Each count is a button that shows its rows. The panel requests the counts when it is
 * first shown, and again with each update of the file until all rows are counted.
 */
export class OverviewPanel {
  readonly root = element('div', { class: 'overview', tabindex: 0 });
  private columns: ColumnId[];
  /** Whether a user counts findings that are not open, too. */
  countsAll: boolean;
  /** All are counted then. */
  private isNothingOpen = false;
  /** The last counts, which are shown until there are others. */
  private overview: Overview | undefined;
  /** Whether they are all that there is to count. */
  private isDone = false;
  private failure: string | undefined;
  private pending: PendingCall<'overview'> | undefined;
  /** When the file was opened, or last opened again. */
  private openedAt = Date.now();
  private isOpen = false;
  /** Whether an update arrived after the last request. */
  private isStale = false;

  /** @param saved what was chosen before. */
  constructor(
    private readonly page: OverviewPage,
    saved: Pick<PageState, 'bars' | 'countsAll'> | undefined,
  ) {
    this.columns = [...(saved?.bars ?? [])];
    this.countsAll = saved?.countsAll ?? false;
  }

  /** Columns that a user added. */
  get added(): readonly ColumnId[] {
    return this.columns;
  }

  /** What the overview depends on besides its file. */
  get params(): SummaryParams {
    return { now: this.agesAt, added: this.columns, openOnly: this.openOnly };
  }

  private get openOnly(): boolean {
    return !this.countsAll && !this.isNothingOpen;
  }

  /** The time that ages are relative to: for a report, when it was created, even if that is long ago. */
  private get agesAt(): number {
    return this.page.about.madeAt ?? this.openedAt;
  }

  /** Called when the overview is shown. */
  open(): void {
    this.isOpen = true;
    this.draw();
    this.request();
  }

  /** Called when the host sends an update of the file. */
  update(): void {
    this.isStale = true;
    this.request();
  }

  /** Forgets what is about the columns of a list, because another one follows. */
  forgetColumns(): void {
    this.columns = [];
    this.overview = undefined;
  }

  /** Requests all counts again if the overview was shown. */
  restart(): void {
    this.isNothingOpen = false;
    this.recount();
  }

  private recount(): void {
    this.pending = undefined;
    this.isDone = false;
    this.openedAt = Date.now();
    if (this.isOpen) {
      this.open();
    }
  }

  private request(): void {
    if (!this.isOpen || this.pending || this.isDone || this.page.about.comparison) {
      return;
    }
    this.isStale = false;
    const since = this.page.about.previousAt;
    const call = this.page.link.request('overview', {
      now: this.agesAt,
      openOnly: this.openOnly,
      ...(since !== undefined && { since }),
    });
    this.pending = call;
    call.answer.then(
      (overview) => {
        if (this.pending === call) {
          this.pending = undefined;
          this.show(overview);
          if (this.isStale) {
            this.request();
          }
        }
      },
      (error: unknown) => {
        if (this.pending === call) {
          this.pending = undefined;
          this.fail(error);
        }
      },
    );
  }

  private fail(error: unknown): void {
    if (error instanceof TableError && error.code === 'cancelled') {
      return;
    }
    this.failure = error instanceof Error ? error.message : String(error);
    this.draw();
  }

  private show(overview: Overview): void {
    const { texts, announcer } = this.page;
    if (overview.done && overview.closed?.areCounted === false && overview.rows === 0) {
      // An empty overview would say less than that of what was open.
      this.isNothingOpen = true;
      this.recount();
      return;
    }
    this.overview = overview;
    this.isDone = overview.done;
    this.failure = undefined;
    this.draw();
    if (overview.done) {
      announcer.say(texts.get(overview.rows === 1 ? 'oneRow' : 'rows', overview.rows));
    }
  }

  draw(): void {
    if (!this.isOpen) {
      return;
    }
    const { comparison } = this.page.about;
    const focus = () => this.root.focus({ preventScroll: true });
    keepFocus(this.root, focus, () =>
      render(comparison ? this.comparisonView(comparison) : this.countsView(), this.root),
    );
  }

  private readonly choose = (chosen: LabeledFilter): void => {
    this.page.showChosen(chosen);
  };

  /** What a comparison found, instead of the counts of a file. */
  private comparisonView(comparison: ComparisonAbout) {
    const { texts, link, about } = this.page;
    const swap = () => link.send({ type: 'swap' });
    return (
      <>
        <header>
          <h2>{about.title}</h2>
          <div class="facts-line">
            <span>{comparedSides(comparison, texts)}</span>
            {comparison.canSwap && (
              <TextButton title={texts.get('swapTitle')} onClick={swap}>
                {texts.get('swap')}
              </TextButton>
            )}
            {comparisonFacts(comparison, texts).map((text) => (
              <span>{text}</span>
            ))}
          </div>
        </header>
        <div class="sections">{comparisonParts(comparison, texts, this.choose)}</div>
      </>
    );
  }

  private countsView() {
    const { texts, about, view } = this.page;
    const { overview, failure } = this;
    const model =
      overview &&
      overviewModel(overview, {
        ...fileContext(view.info, texts),
        texts,
        about,
        added: this.columns,
        now: this.agesAt,
      });
    const tryAgain = () => {
      this.failure = undefined;
      this.draw();
      this.request();
    };
    return (
      <>
        <header>
          <h2>{about.title}</h2>
          <div class="facts-line">
            {model && this.factsOf(model)}
            {this.changes()}
          </div>
          {overview && !overview.done && (
            <p class="faint">{texts.get('counting', overview.rows)}</p>
          )}
          {failure !== undefined && (
            <p class="failed" role="alert">
              {failure} <TextButton onClick={tryAgain}>{texts.get('tryAgain')}</TextButton>
            </p>
          )}
        </header>
        {overview && model && this.sectionsView(overview, model)}
      </>
    );
  }

  private factsOf({ facts, closed, otherLists, sinceLast }: OverviewModel) {
    const countOthers = () => {
      this.countsAll = !this.countsAll;
      this.page.memory.saveSoon();
      this.recount();
    };
    const shown = facts.map((text) => <span>{text}</span>);
    return (
      <>
        {sinceLast ? shown.slice(0, -1) : shown}
        {otherLists.map(({ label, list }) => (
          <TextButton key={list} onClick={() => this.page.link.send({ type: 'showList', list })}>
            {label}
          </TextButton>
        ))}
        {closed && <TextButton onClick={countOthers}>{closed.label}</TextButton>}
        {sinceLast && (
          <TextButton onClick={() => this.choose(sinceLast)}>{facts.at(-1)}</TextButton>
        )}
      </>
    );
  }

  /** What has changed since the previous report, once that is known. */
  private changes() {
    const { texts, link, about } = this.page;
    const { sincePrevious: since } = about;
    const compare = () => link.send({ type: 'compare' });
    if (!since) {
      return null;
    }
    const text = sinceText(since, texts);
    return hasChanges(since) ? (
      <TextButton onClick={compare}>{text}</TextButton>
    ) : (
      <span>{text}</span>
    );
  }

  private sectionsView({ rows, done }: Overview, { sections, offered }: OverviewModel) {
    const { texts, view } = this.page;
    const tables = (areBars: boolean) =>
      sections
        .filter(({ kind }) => (kind === 'bars') === areBars)
        .map((section) => countTable(section, texts, this.choose, () => this.remove(section)));
    return (
      <>
        <div class="sections">{tables(false)}</div>
        <div class="cards">{tables(true)}</div>
        {done && sections.length === 0 && (
          <p class="faint">{texts.get(rows === 0 ? whyNoRows(view.info) : 'nothingToCount')}</p>
        )}
        {offered.length > 0 && (
          <div class="picker">
            <label for="show-as-bars">{texts.get('showAsBars')}</label>
            <select
              id="show-as-bars"
              value=""
              onChange={({ currentTarget }) => this.add(currentTarget.value)}
            >
              <option value="">{texts.get('chooseColumn')}</option>
              {offered.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name || id}
                </option>
              ))}
            </select>
          </div>
        )}
      </>
    );
  }

  private add(column: ColumnId): void {
    if (column !== '') {
      this.columns.push(column);
      this.changed();
      const name = this.page.view.info.columns.find(({ id }) => id === column)?.name ?? column;
      this.page.announcer.say(this.page.texts.get('barsShown', name));
    }
  }

  private remove({ added }: Section): void {
    this.columns = this.columns.filter((column) => column !== added);
    this.changed();
    // The button that was pressed is gone.
    this.root.querySelector('select')?.focus();
  }

  private changed(): void {
    this.draw();
    this.page.memory.saveSoon();
  }
}

import type { ComponentChild } from 'preact';
import { showChosen } from '../state/actions';
import { classes, TextButton } from '../dom/components';
import { whyNoRows } from '../../summary/fileNotices';
import { failureText } from '../state/hostLink';
import type { LabeledFilter } from '../../summary/labeledFilter';
import type { Store } from '../state/store';
import type { Overview, ColumnId, TableInfo } from '../../engine/page';
import { comparisonModel } from '../../summary/comparisonModel';
import { countTable } from './countTable';
import type { Fact, OverviewModel, Section } from '../../summary/countRows';
import { FileCounts } from '../state/fileCounts';
import { overviewModel } from '../../summary/overviewModel';
import { worstRated } from '../../vocabulary/grade';

/**
 * The counts of a file. Each count is a button that shows its rows. The panel requests the counts when it is
 * first shown, and again with each update of the file until all rows are counted.
 */
export class OverviewPanel {
  private readonly counts: FileCounts<'readOverviewSoFar'>;
  /** The last counts, which are shown until there are others, and the list of the document that they are of. */
  private overview: Overview | undefined;
  /** What was known of the file then: its next content may not know the meanings of these columns yet. */
  private info: TableInfo;
  private list: string | undefined;
  private failure: string | undefined;
  private content: ComponentChild = null;

  constructor(private readonly store: Store) {
    this.info = store.view.info;
    const answered = (overview: Overview) => this.answered(overview);
    this.counts = new FileCounts(store, 'readOverviewSoFar', answered, (error) => {
      this.failure = failureText(error);
      store.changed();
    });
  }

  /** Requests the counts while the overview is shown, or once it was. */
  request(): void {
    const { tab, about, agesAt, countScope: scope, view, ratings } = this.store;
    if (view.info.list !== this.list) {
      this.list = view.info.list;
      this.overview = undefined;
    }
    const isUsed = tab === 'overview' || this.overview !== undefined;
    if (isUsed && !about.comparison) {
      const since = about.previousAt;
      const rated = worstRated(ratings);
      const params = { now: agesAt, scope, rated, ...(since !== undefined && { since }) };
      this.counts.request(params);
    }
  }

  private answered(overview: Overview): void {
    const { store } = this;
    const { texts, announcer } = store;
    const { rows, done, closed } = overview;
    this.failure = undefined;
    texts.addDomains(overview.domains);
    if (done && closed?.areCounted === false && rows === 0) {
      // An empty overview would say less than that of what was open.
      store.isNothingOpen = true;
    } else {
      this.overview = overview;
      this.info = store.view.info;
      if (done) {
        announcer.say(texts.get(rows === 1 ? 'oneRow' : 'rows', rows));
      }
    }
    store.changed();
  }

  readonly panel = () => {
    const { tab } = this.store;
    if (tab === 'overview') {
      this.content = this.view();
    }
    return (
      <div
        id="panel-overview"
        class={tab === 'overview' ? 'overview shown' : 'overview'}
        role="tabpanel"
        aria-labelledby="tab-overview"
        tabIndex={0}
      >
        {this.content}
      </div>
    );
  };

  private readonly choose = (chosen: LabeledFilter): void => showChosen(this.store, chosen);

  private view() {
    const { texts, about, ratings, overviewColumns: added, agesAt: now } = this.store;
    const { overview, failure, info } = this;
    const { comparison } = about;
    const model = comparison
      ? comparisonModel(comparison, texts)
      : overview && overviewModel(overview, { texts, about, ratings, info, added, now });
    const tryAgain = () => {
      this.failure = undefined;
      this.counts.retry();
    };
    return (
      <>
        <header>
          <h2>{about.title}</h2>
          <div class="facts-line">
            {model?.facts.map((fact) => this.factView(fact))}
            {about.previousAt !== undefined && model?.facts.every(({ isLine }) => !isLine) && (
              <span class="line" aria-hidden="true">
                {'\u00a0'}
              </span>
            )}
          </div>
          {overview?.done === false && (
            <p class="counting faint">
              {texts.get(overview.rows === 1 ? 'countingOne' : 'counting', overview.rows)}
            </p>
          )}
          {failure !== undefined && (
            <p class="failed" role="alert">
              {failure} <TextButton onClick={tryAgain}>{texts.get('tryAgain')}</TextButton>
            </p>
          )}
        </header>
        {comparison && comparison.warnings.length > 0 && (
          <ul class="warnings" aria-label={texts.get('comparisonNotes')}>
            {comparison.warnings.map((text) => (
              <li>{text}</li>
            ))}
          </ul>
        )}
        {model && this.sectionsView(model)}
      </>
    );
  }

  private factView({ text, title, isLead, isLine, action }: Fact) {
    const { store } = this;
    if (!action) {
      return (
        <span key={text} class={classes(isLead === true && 'lead', isLine === true && 'line')}>
          {text}
        </span>
      );
    }
    const onClick = () => {
      switch (action.type) {
        case 'show':
          this.choose(action.chosen);
          break;
        case 'count':
          store.set({ countsAll: action.all });
          break;
        default:
          store.link.send(action);
      }
    };
    const button = (
      <TextButton key={keyOf(action, text)} title={title} onClick={onClick}>
        {text}
      </TextButton>
    );
    return isLine ? <div class="line">{button}</div> : button;
  }

  private sectionsView({ sections, offered }: OverviewModel) {
    const { texts, view } = this.store;
    const { overview } = this;
    const tables = ({ areBars }: { readonly areBars: boolean }) =>
      sections
        .filter(({ kind }) => (kind === 'bars') === areBars)
        .map((section) => countTable(section, texts, this.choose, () => this.remove(section)));
    return (
      <>
        <div class="sections">{tables({ areBars: false })}</div>
        <div class="cards">{tables({ areBars: true })}</div>
        {overview?.done && sections.length === 0 && (
          <p class="faint">
            {texts.get(overview.rows === 0 ? whyNoRows(view.info) : 'nothingToCount')}
          </p>
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
              {offered.map((one) => (
                <option key={one.id} value={one.id}>
                  {view.formatColumn(one)}
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
      const { texts, announcer, overviewColumns, view } = this.store;
      this.store.set({ overviewColumns: [...overviewColumns, column] });
      const added = view.info.columns.find(({ id }) => id === column);
      announcer.say(texts.get('barsShown', added ? view.formatColumn(added) : column));
    }
  }

  private remove({ added }: Section): void {
    const { overviewColumns } = this.store;
    this.store.set({ overviewColumns: overviewColumns.filter((column) => column !== added) });
    // The button that was pressed is gone.
    document.querySelector<HTMLElement>('.overview select')?.focus();
  }
}

/** The same for what says another number later, so that it keeps the focus. */
function keyOf(action: NonNullable<Fact['action']>, text: string): string {
  switch (action.type) {
    case 'showList':
      return text;
    case 'show':
      return action.chosen.label;
    default:
      return action.type;
  }
}

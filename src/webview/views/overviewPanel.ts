import type { PendingCall } from '../hostLink';
import { whyNoRows } from '../emptyTable';
import type { PageContext } from '../pageContext';
import type { PageState } from '../pageState';
import type { SummaryParams } from '../protocol';
import type { Overview } from '../../engine/overviewTypes';
import type { ColumnId } from '../../engine/types';
import { TableError } from '../../engine/values/tableError';
import { type ComparisonAbout, hasChanges } from '../../engine/values/comparisonAbout';
import { element, replaceChildren, setText, textButton } from '../dom';
import { comparedSides, comparisonFacts } from './comparisonModel';
import { comparisonParts } from './comparisonOverview';
import { CountTable } from './countTable';
import { type Section } from './countRows';
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
  readonly root: HTMLElement;
  private readonly title = element('h2');
  private readonly facts = element('p', { class: 'facts' });
  private readonly progress = element('p', { class: 'counting', hidden: true });
  private readonly sinceLast: HTMLButtonElement;
  private readonly changes: HTMLButtonElement;
  private readonly closed: HTMLButtonElement;
  private readonly wide = element('div', { class: 'sections' });
  private readonly noChanges = element('span');
  private readonly cards = element('div', { class: 'cards' });
  private readonly picker: HTMLElement;
  private readonly choices = element('select', { id: 'show-as-bars' });
  private readonly swap: HTMLElement;
  private readonly nothing: HTMLElement;
  private readonly failure = element('p', { class: 'failed', role: 'alert', hidden: true });
  private sections = new Map<string, CountTable>();
  private columns: ColumnId[];
  /** Whether a user counts findings that are not open, too. */
  countsAll: boolean;
  /** All are counted then. */
  private isNothingOpen = false;
  private overview: Overview | undefined;
  private model: OverviewModel | undefined;
  private pending: PendingCall<'overview'> | undefined;
  /** When the file was opened, or last opened again. */
  private openedAt = Date.now();
  private compared: ComparisonAbout | undefined;
  private isOpen = false;
  /** Whether an update arrived after the last request. */
  private isStale = false;

  /** @param saved what was chosen before. */
  constructor(
    private readonly page: OverviewPage,
    saved: Pick<PageState, 'bars' | 'countsAll'> | undefined,
  ) {
    const { texts } = page;
    this.columns = [...(saved?.bars ?? [])];
    this.countsAll = saved?.countsAll ?? false;
    this.closed = textButton('', () => {
      this.countsAll = !this.countsAll;
      this.page.memory.saveSoon();
      this.recount();
    });
    this.closed.hidden = true;
    this.sinceLast = textButton('', () => {
      if (this.model?.sinceLast) {
        page.showChosen(this.model.sinceLast);
      }
    });
    this.changes = textButton('', () => {
      page.link.send({ type: 'compare' });
    });
    this.changes.hidden = true;
    this.swap = textButton(texts.get('swap'), () => {
      page.link.send({ type: 'swap' });
    });
    this.swap.title = texts.get('swapTitle');
    this.swap.hidden = true;
    this.nothing = element('p', { class: 'faint', hidden: true });
    this.choices.addEventListener('change', () => {
      this.add(this.choices.value);
    });
    const label = element('label', { for: 'show-as-bars' }, texts.get('showAsBars'));
    this.picker = element('div', { class: 'picker', hidden: true }, label, this.choices);
    const facts = [this.facts, this.closed, this.sinceLast, this.changes, this.noChanges];
    const line = element('div', { class: 'facts-line' }, ...facts);
    const head = element('header', {}, this.title, line, this.progress, this.failure);
    const parts = [head, this.wide, this.cards, this.nothing, this.picker];
    this.root = element('div', { class: 'overview', tabindex: 0 }, ...parts);
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
    setText(this.title, this.page.about.title);
    this.updateAbout();
    if (this.page.about.comparison) {
      this.drawComparison(this.page.about.comparison);
    } else {
      this.request();
    }
  }

  /** Called when the host has sent more facts about the file. */
  updateAbout(): void {
    const { texts, about } = this.page;
    const { sincePrevious: since } = about;
    const text = since ? sinceText(since, texts) : '';
    const isButton = since !== undefined && hasChanges(since);
    this.changes.hidden = !isButton;
    setText(this.changes, isButton ? text : '');
    setText(this.noChanges, isButton ? '' : text);
    this.draw();
  }

  /** Called when the host sends an update of the file. */
  update(): void {
    this.isStale = true;
    this.request();
  }

  /** Removes the columns that a user added. */
  forgetColumns(): void {
    this.columns = [];
  }

  /** Discards all counts, and requests them again if the overview was shown. */
  restart(): void {
    this.isNothingOpen = false;
    this.recount();
  }

  private recount(): void {
    this.pending = undefined;
    this.overview = undefined;
    this.openedAt = Date.now();
    if (this.isOpen) {
      this.open();
    }
  }

  /** Draws what a comparison found, instead of the counts of a file. */
  private drawComparison(comparison: ComparisonAbout): void {
    if (this.compared === comparison) {
      return;
    }
    this.compared = comparison;
    const { texts } = this.page;
    this.facts.replaceChildren(
      element('span', {}, comparedSides(comparison, texts)),
      this.swap,
      ...comparisonFacts(comparison, texts).map((text) => element('span', {}, text)),
    );
    this.sinceLast.hidden = true;
    this.swap.hidden = comparison.canSwap !== true;
    this.wide.replaceChildren(
      ...comparisonParts(comparison, texts, (chosen) => {
        this.page.showChosen(chosen);
      }),
    );
  }

  private request(): void {
    if (this.page.about.comparison) {
      return;
    }
    if (!this.isOpen || this.pending || this.overview?.done) {
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
    const again = textButton(this.page.texts.get('tryAgain'), () => {
      this.failure.hidden = true;
      this.root.focus({ preventScroll: true });
      this.request();
    });
    const text = error instanceof Error ? error.message : String(error);
    this.failure.replaceChildren(text, ' ', again);
    this.failure.hidden = false;
  }

  private show(overview: Overview): void {
    const { texts, announcer } = this.page;
    if (overview.done && overview.closed?.areCounted === false && overview.rows === 0) {
      // An empty overview would say less than that of what was open.
      this.isNothingOpen = true;
      this.recount();
      return;
    }
    const isFirstComplete = overview.done && !this.overview?.done;
    this.overview = overview;
    this.draw();
    if (isFirstComplete) {
      announcer.say(texts.get(overview.rows === 1 ? 'oneRow' : 'rows', overview.rows));
    }
  }

  private draw(): void {
    const { overview } = this;
    if (!overview) {
      return;
    }
    const { texts, about, view } = this.page;
    const model = overviewModel(overview, {
      ...fileContext(view.info, texts),
      texts,
      about,
      added: this.columns,
      now: this.agesAt,
    });
    this.model = model;
    this.failure.hidden = true;
    this.progress.hidden = overview.done;
    setText(this.progress, overview.done ? '' : texts.get('counting', overview.rows));
    this.drawFacts(model);
    this.drawSections(model.sections);
    this.nothing.hidden = !overview.done || model.sections.length > 0;
    const why = overview.rows === 0 ? whyNoRows(view.info) : 'nothingToCount';
    setText(this.nothing, texts.get(why));
    this.drawChoices(model);
  }

  private drawFacts({ facts, sinceLast, closed }: OverviewModel): void {
    setText(this.closed, closed?.label ?? '');
    this.closed.hidden = !closed;
    const texts = sinceLast ? facts.slice(0, -1) : facts;
    const shown = texts.map((text) => element('span', {}, text));
    setText(this.sinceLast, sinceLast ? (facts.at(-1) ?? '') : '');
    this.sinceLast.hidden = !sinceLast;
    this.facts.replaceChildren(...shown);
  }

  private drawSections(sections: readonly Section[]): void {
    const before = this.sections;
    this.sections = new Map(
      sections.map((section) => {
        // A table creates its headings and buttons once: a section with other ones gets a new table.
        const key = JSON.stringify([section.id, section.headings, section.added]);
        const table =
          before.get(key) ??
          new CountTable(section, this.page.texts, {
            choose: (chosen) => {
              this.page.showChosen(chosen);
            },
            remove: (removed) => {
              this.remove(removed);
            },
          });
        table.show(section);
        return [key, table];
      }),
    );
    const tables = [...this.sections.values()].map(({ root }) => root);
    const isWide = (at: number) => sections[at]?.kind !== 'bars';
    replaceChildren(
      this.wide,
      tables.filter((_, at) => isWide(at)),
    );
    replaceChildren(
      this.cards,
      tables.filter((_, at) => !isWide(at)),
    );
  }

  private drawChoices({ offered }: OverviewModel): void {
    this.picker.hidden = offered.length === 0;
    const { texts } = this.page;
    const options = [
      { id: '', name: texts.get('chooseColumn') },
      ...offered.map(({ id, name }) => ({ id, name: name || id })),
    ];
    const present = [...this.choices.options].map(({ value, text }) => ({ id: value, name: text }));
    // Equal options are not replaced: an open list must not change under the pointer.
    if (JSON.stringify(options) !== JSON.stringify(present)) {
      this.choices.replaceChildren(
        ...options.map(({ id, name }) => element('option', { value: id }, name)),
      );
    }
    this.choices.value = '';
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
    this.choices.focus();
  }

  private changed(): void {
    this.draw();
    this.page.memory.saveSoon();
  }
}

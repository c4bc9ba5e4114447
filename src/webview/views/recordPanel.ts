import { isIssueType } from '../../base/text/issueTypes';
import type { PageTextKey } from '../pageTexts';
import type { ColumnId, ColumnRole, Field, InvalidReason, TableRecord } from '../../engine/types';
import { TableError } from '../../engine/values/tableError';
import { element, iconButton, textButton, setAttribute } from '../dom';
import { usefulFirst } from '../grid/columnModel';
import type { PendingCall } from '../hostLink';
import type { PageContext } from '../pageContext';
import type { RecordLinks } from '../protocol';
import { comparedDays } from './comparisonModel';
import type { Texts } from '../texts';
import { linkButtons } from './linkButtons';
import { recordFields, valueView } from './valueView';
import { type ComparedCell, comparedFields } from '../../engine/values/comparisonColumns';

const invalidTexts: Record<InvalidReason, PageTextKey> = {
  syntax: 'invalidSyntax',
  fields: 'invalidFields',
  tooLong: 'invalidTooLong',
  truncated: 'invalidTruncated',
};

/** What is needed of the page. */
interface RecordPage extends Pick<
  PageContext,
  | 'texts'
  | 'link'
  | 'grid'
  | 'view'
  | 'about'
  | 'hasFindings'
  | 'showFinding'
  | 'showRecord'
  | 'links'
> {
  reveal(): void;
}

/** One record beside the grid. */
export class RecordPanel {
  readonly root: HTMLElement;
  private readonly title = element('h2', {});
  private readonly body = element('div', { class: 'record-body', tabindex: 0, role: 'region' });
  private record: number | undefined;
  private pending: PendingCall<'record'> | undefined;
  private pendingLinks: PendingCall<'links'> | undefined;
  /** What issue types mean, as far as it was requested. */
  private readonly meanings = new Map<string, string | null>();
  private shown = false;
  private readonly finding: HTMLButtonElement;
  /** The file that the record names, or its asset. */
  private readonly links = element('div', { class: 'record-links', hidden: true });

  private readonly texts: Texts;

  constructor(private readonly page: RecordPage) {
    const { texts, link } = page;
    this.texts = texts;
    this.finding = iconButton('tree', texts.get('showFinding'), () => {
      if (this.record !== undefined) {
        page.showFinding(this.record);
      }
    });
    const open = iconButton('open', texts.get('openDocument'), () => {
      if (this.record !== undefined) {
        link.send({ type: 'openRecord', record: this.record });
      }
    });
    const close = iconButton('close', texts.get('close'), () => {
      this.close();
    });
    this.body.setAttribute('aria-label', texts.get('record'));
    // Until the first record is loaded.
    this.title.textContent = texts.get('record');
    const head = element('div', { class: 'record-head' }, this.title, this.finding, open, close);
    this.root = element('div', { class: 'record', hidden: true }, head, this.links, this.body);
    this.root.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
        this.close();
      }
    });
  }

  get visible(): boolean {
    return this.shown;
  }

  set visible(on: boolean) {
    this.shown = on;
    this.root.hidden = !on;
  }

  focus(): void {
    this.body.focus();
  }

  /** Drops the record, even if the panel is hidden, so that it is loaded again. */
  reset(): void {
    this.record = undefined;
    this.cancel();
    this.links.hidden = true;
    if (this.body.contains(document.activeElement)) {
      this.body.focus();
    }
    this.body.replaceChildren();
  }

  /** Shows a record, or that there is none. The previous record stays until the new one is loaded. */
  show(record: number | undefined): void {
    if (!this.shown || (record === this.record && record !== undefined)) {
      return;
    }
    this.record = record;
    this.finding.hidden = record === undefined || !this.page.hasFindings;
    this.cancel();
    if (record === undefined) {
      this.links.hidden = true;
      this.title.textContent = this.texts.get('record');
      this.body.replaceChildren(element('p', { class: 'faint' }, this.texts.get('noRecord')));
      return;
    }
    this.fetch(record);
    if (this.page.links.hasWorkspace) {
      this.fetchLinks(record);
    }
  }

  private cancel(): void {
    this.pending?.cancel();
    this.pendingLinks?.cancel();
    this.pending = undefined;
    this.pendingLinks = undefined;
  }

  private close(): void {
    this.page.showRecord(false);
    this.page.grid.domFocus();
  }

  private fetch(record: number): void {
    const call = this.page.link.request('record', { record });
    this.pending = call;
    call.answer.then(
      (answer) => {
        if (this.pending === call) {
          this.draw(answer);
        }
      },
      (error: unknown) => {
        if (this.pending === call && !(error instanceof TableError && error.code === 'cancelled')) {
          this.drawError(record, error);
        }
      },
    );
  }

  /** The links of the previous record stay until those of the new one are known: fields do not jump. */
  private fetchLinks(record: number): void {
    const call = this.page.link.request('links', { record });
    this.pendingLinks = call;
    call.answer.then(
      (links) => {
        if (this.pendingLinks === call) {
          this.drawLinks(record, links);
        }
      },
      () => {
        if (this.pendingLinks === call) {
          // The record shows why it cannot be read.
          this.links.hidden = true;
        }
      },
    );
  }

  private drawLinks(record: number, links: RecordLinks): void {
    const hadFocus = this.links.contains(document.activeElement);
    const { links: page } = this.page;
    const buttons = linkButtons(links, this.texts, {
      openFile: () => {
        page.openFile(record);
      },
      findAsset: () => {
        page.findAsset(record);
      },
    });
    this.links.replaceChildren(...buttons);
    this.links.hidden = buttons.length === 0;
    if (hadFocus) {
      (buttons[0] ?? this.body).focus();
    }
  }

  private drawError(record: number, error: unknown): void {
    this.title.textContent = this.texts.get('recordTitle', record + 1);
    this.body.replaceChildren(
      element('p', { role: 'alert' }, error instanceof Error ? error.message : String(error)),
      textButton(this.texts.get('tryAgain'), () => {
        this.fetch(record);
      }),
    );
  }

  private draw(record: TableRecord): void {
    const { texts } = this;
    const { comparison } = this.page.about;
    const title = texts.get('recordTitle', record.record + 1);
    this.title.textContent = comparison
      ? `${title} \u00b7 ${comparedDays(comparison, texts)}`
      : title;
    const { columns } = this.page.view.info;
    const fields = usefulFirst(record.fields, columns);
    const shown = comparison ? comparedFields(fields) : fields;
    const roles = new Map(columns.map(({ id, role }) => [id, role]));
    this.body.replaceChildren(
      ...(record.invalid
        ? [element('p', { class: 'invalid-reason' }, texts.get(invalidTexts[record.invalid]))]
        : []),
      ...(record.masked ? [this.secretsNote()] : []),
      ...(record.fields.length > 0
        ? [
            ...this.meaningOf(shown, roles),
            recordFields(shown, ({ cell, column }) => valueOf(cell, texts, roles.get(column))),
          ]
        : []),
      this.rawText(record),
    );
    this.body.scrollTop = 0;
  }

  /** What the issue type of the record means, and what to do; filled in once the host has answered. */
  private meaningOf(
    fields: readonly Field[],
    roles: ReadonlyMap<ColumnId, ColumnRole | undefined>,
  ): Node[] {
    const key = fields.find(({ column }) => roles.get(column) === 'issueType')?.cell.text;
    if (key === undefined || !isIssueType(key)) {
      return [];
    }
    const paragraph = element('p', { class: 'meaning', hidden: true });
    const show = (meaning: string | null): void => {
      this.meanings.set(key, meaning);
      paragraph.textContent = meaning;
      paragraph.hidden = meaning === null;
    };
    const known = this.meanings.get(key);
    if (known === undefined) {
      this.page.link.request('meaning', { issueType: key }).answer.then(show, () => {
        // The record is shown without it, and asks again.
      });
    } else {
      show(known);
    }
    return [paragraph];
  }

  private secretsNote(): Node {
    return element(
      'p',
      { class: 'faint' },
      textButton(this.texts.get('showSecrets'), () => {
        this.page.reveal();
      }),
    );
  }

  private rawText({ text, cut, invalid }: TableRecord): Node {
    const raw = element(
      'details',
      { class: 'raw', open: invalid !== undefined },
      element('summary', {}, this.texts.get('recordText')),
    );
    // The text may have a megabyte: it is added only on demand.
    const fill = (): void => {
      raw.append(
        element('pre', { dir: 'auto' }, text),
        ...(cut ? [element('p', { class: 'faint' }, this.texts.get('recordCut'))] : []),
      );
    };
    if (invalid === undefined) {
      raw.addEventListener('toggle', fill, { once: true });
    } else {
      fill();
    }
    return raw;
  }
}

/** A value. If it has changed, both versions, the old one first. */
function valueOf(cell: ComparedCell, texts: Texts, role: ColumnRole | undefined): HTMLElement {
  const { was } = cell;
  if (!was) {
    return element('dd', { 'data-kind': cell.kind }, valueView(cell, texts, role));
  }
  const [before, after] = [was, cell].map((each) => valueView(each, texts, role));
  const old = element('del', { 'data-label': texts.get('oldValue') }, before ?? '');
  const now = element('ins', { 'data-label': texts.get('newValue') }, after ?? '');
  return element('dd', { class: 'differs changed-value' }, old, now);
}

const least = 20;
const most = 80;
const step = 4;

/**
 * The sash between the grid and the record, side by side or stacked in a narrow page. It is moved with the
 * pointer or the arrow keys. The share is the part of the space for the record, in percent.
 */
export class Sash {
  readonly bar: HTMLElement;

  constructor(
    private readonly container: HTMLElement,
    private readonly panel: HTMLElement,
    label: string,
    private percent: number,
    private readonly onChange: () => void,
  ) {
    this.bar = element('div', {
      class: 'sash',
      role: 'separator',
      tabindex: 0,
      'aria-label': label,
      'aria-valuemin': least,
      'aria-valuemax': most,
    });
    this.bar.addEventListener('pointerdown', (event) => {
      event.preventDefault();
      this.bar.setPointerCapture(event.pointerId);
      this.bar.addEventListener('pointermove', this.onMove);
    });
    for (const end of ['pointerup', 'pointercancel']) {
      this.bar.addEventListener(end, () => {
        this.bar.removeEventListener('pointermove', this.onMove);
      });
    }
    this.bar.addEventListener('keydown', (event) => {
      const larger = event.key === 'ArrowLeft' || event.key === 'ArrowUp';
      if (larger || event.key === 'ArrowRight' || event.key === 'ArrowDown') {
        event.preventDefault();
        event.stopPropagation();
        this.share += larger ? step : -step;
        this.onChange();
      }
    });
    new ResizeObserver(() => {
      setAttribute(this.bar, 'aria-orientation', this.stacked ? 'horizontal' : 'vertical');
    }).observe(container);
    this.share = percent;
  }

  get share(): number {
    return this.percent;
  }

  set share(percent: number) {
    this.percent = Math.round(Math.min(most, Math.max(least, percent)));
    this.panel.style.flexBasis = `${this.percent}%`;
    setAttribute(this.bar, 'aria-valuenow', this.percent);
  }

  private get stacked(): boolean {
    return getComputedStyle(this.container).flexDirection === 'column';
  }

  private readonly onMove = (event: PointerEvent): void => {
    const box = this.container.getBoundingClientRect();
    this.share = this.stacked
      ? ((box.bottom - event.clientY) / box.height) * 100
      : ((box.right - event.clientX) / box.width) * 100;
    this.onChange();
  };
}

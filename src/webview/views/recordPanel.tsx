import { type ComponentChild, createRef, Fragment, render } from 'preact';
import { isIssueType } from '../../base/text/issueTypes';
import type { PageTextKey } from '../pageTexts';
import type { ColumnId, ColumnRole, Field, InvalidReason, TableRecord } from '../../engine/types';
import { TableError } from '../../engine/values/tableError';
import { Folded, IconButton, TextButton } from '../components';
import { element, type IconName, keepFocus } from '../dom';
import { usefulFirst } from '../grid/columnModel';
import type { PendingCall } from '../hostLink';
import type { PageContext } from '../pageContext';
import type { RecordLinks } from '../protocol';
import type { Texts } from '../texts';
import { comparedDays } from './comparisonModel';
import { linkLine } from './linkLine';
import { fieldList, valueView } from './valueView';
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

type Fields = readonly (Field & { readonly cell: ComparedCell })[];
type Roles = ReadonlyMap<ColumnId, ColumnRole | undefined>;

/** One record beside the grid. */
export class RecordPanel {
  readonly root = element('div', { class: 'record', hidden: true });
  private readonly body = createRef<HTMLDivElement>();
  private record: number | undefined;
  private title: string;
  /** What the body shows: made once, because a value may have a megabyte. */
  private content: ComponentChild = null;
  /** Those of the previous record stay until those of the new one are known: fields do not jump. */
  private links: RecordLinks & { readonly record?: number } = {};
  private pending: PendingCall<'record'> | undefined;
  private pendingLinks: PendingCall<'links'> | undefined;
  /** What issue types mean, as far as it was requested. */
  private readonly meanings = new Map<string, string | null>();
  private shown = false;

  constructor(private readonly page: RecordPage) {
    this.title = page.texts.get('record');
    this.root.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
        this.close();
      }
    });
    this.draw();
  }

  get visible(): boolean {
    return this.shown;
  }

  set visible(on: boolean) {
    this.shown = on;
    this.root.hidden = !on;
  }

  readonly focus = (): void => {
    this.body.current?.focus();
  };

  /** Drops the record, even if the panel is hidden, so that it is loaded again. */
  reset(): void {
    this.record = undefined;
    this.cancel();
    this.links = {};
    this.content = null;
    this.draw();
  }

  /** Shows a record, or that there is none. The previous record stays until the new one is loaded. */
  show(record: number | undefined): void {
    if (!this.shown || (record === this.record && record !== undefined)) {
      return;
    }
    this.record = record;
    this.cancel();
    if (record === undefined) {
      this.links = {};
      this.title = this.page.texts.get('record');
      this.content = <p class="faint">{this.page.texts.get('noRecord')}</p>;
    } else {
      this.fetch(record);
      if (this.page.links.hasWorkspace) {
        this.fetchLinks(record);
      }
    }
    this.draw();
  }

  private cancel(): void {
    this.pending?.cancel();
    this.pendingLinks?.cancel();
    this.pending = undefined;
    this.pendingLinks = undefined;
  }

  private readonly close = (): void => {
    this.page.showRecord(false);
    this.page.grid.domFocus();
  };

  private fetch(record: number): void {
    const { texts, link } = this.page;
    const call = link.request('record', { record });
    this.pending = call;
    const title = texts.get('recordTitle', record + 1);
    call.answer.then(
      (answer) => {
        if (this.pending === call) {
          const { comparison } = this.page.about;
          const useful = usefulFirst(answer.fields, this.page.view.info.columns);
          const fields = comparison ? comparedFields(useful) : useful;
          this.title = comparison ? `${title} \u00b7 ${comparedDays(comparison, texts)}` : title;
          const show = () => {
            this.content = this.recordView(answer, fields);
            this.draw();
          };
          show();
          this.body.current?.scrollTo(0, 0);
          this.fetchMeaning(issueTypeOf(fields, this.roles), () => {
            if (this.pending === call) {
              show();
            }
          });
        }
      },
      (error: unknown) => {
        if (this.pending === call && !(error instanceof TableError && error.code === 'cancelled')) {
          const again = () => this.fetch(record);
          this.title = title;
          this.content = (
            <>
              <p role="alert">{error instanceof Error ? error.message : String(error)}</p>
              <TextButton onClick={again}>{texts.get('tryAgain')}</TextButton>
            </>
          );
          this.draw();
        }
      },
    );
  }

  private fetchLinks(record: number): void {
    const call = this.page.link.request('links', { record });
    this.pendingLinks = call;
    const show = (links: RecordLinks): void => {
      if (this.pendingLinks === call) {
        this.links = { ...links, record };
        this.draw();
      }
    };
    call.answer.then(show, () => {
      // The record shows why it cannot be read.
      show({});
    });
  }

  /** Asks what an issue type means, and what to do. */
  private fetchMeaning(issueType: string | undefined, show: () => void): void {
    if (issueType !== undefined && !this.meanings.has(issueType)) {
      this.page.link.request('meaning', { issueType }).answer.then(
        (meaning) => {
          this.meanings.set(issueType, meaning);
          show();
        },
        () => {
          // The record is shown without it, and asks again.
        },
      );
    }
  }

  private get roles(): Roles {
    return new Map(this.page.view.info.columns.map(({ id, role }) => [id, role]));
  }

  private draw(): void {
    keepFocus(this.root, this.focus, () => render(this.panel(), this.root));
  }

  private panel() {
    const { page, record } = this;
    const { texts } = page;
    const button = (name: IconName, key: PageTextKey, act: (record: number) => void) => (
      <IconButton
        name={name}
        label={texts.get(key)}
        hidden={name === 'tree' && (record === undefined || !page.hasFindings)}
        onClick={() => {
          if (record !== undefined) {
            act(record);
          }
        }}
      />
    );
    return (
      <>
        <div class="record-head">
          <h2>{this.title}</h2>
          {button('tree', 'showFinding', (shown) => {
            page.showFinding(shown);
          })}
          {button('open', 'openDocument', (opened) => {
            page.link.send({ type: 'openRecord', record: opened });
          })}
          <IconButton name="close" label={texts.get('close')} onClick={this.close} />
        </div>
        {linkLine(this.links, texts, {
          openFile: () => page.links.openFile(this.links.record ?? 0),
          findAsset: () => page.links.findAsset(this.links.record ?? 0),
        })}
        <div
          class="record-body"
          ref={this.body}
          tabIndex={0}
          role="region"
          aria-label={texts.get('record')}
        >
          {this.content}
        </div>
      </>
    );
  }

  private recordView(record: TableRecord, fields: Fields) {
    const { page, roles } = this;
    const { texts } = page;
    const { invalid, masked } = record;
    const meaning = this.meanings.get(issueTypeOf(fields, roles) ?? '');
    const reveal = () => page.reveal();
    return (
      <Fragment key={record.record}>
        {invalid && <p class="invalid-reason">{texts.get(invalidTexts[invalid])}</p>}
        {masked && (
          <p class="faint">
            <TextButton onClick={reveal}>{texts.get('showSecrets')}</TextButton>
          </p>
        )}
        {meaning && <p class="meaning">{meaning}</p>}
        {fields.length > 0 &&
          fieldList(fields, ({ cell, column }) => fieldValue(cell, texts, roles.get(column)))}
        {rawText(record, texts)}
      </Fragment>
    );
  }
}

function issueTypeOf(fields: Fields, roles: Roles): string | undefined {
  const key = fields.find(({ column }) => roles.get(column) === 'issueType')?.cell.text;
  return key !== undefined && isIssueType(key) ? key : undefined;
}

/** A value. If it has changed, both versions, the old one first. */
function fieldValue(cell: ComparedCell, texts: Texts, role: ColumnRole | undefined) {
  return cell.was ? (
    <dd class="differs changed-value">
      <del data-label={texts.get('oldValue')}>{valueView(cell.was, texts, role)}</del>
      <ins data-label={texts.get('newValue')}>{valueView(cell, texts, role)}</ins>
    </dd>
  ) : (
    <dd data-kind={cell.kind}>{valueView(cell, texts, role)}</dd>
  );
}

/** The record as in the file, which may have a megabyte. */
function rawText({ text, cut, invalid }: TableRecord, texts: Texts) {
  const content = () => (
    <>
      <pre dir="auto">{text}</pre>
      {cut && <p class="faint">{texts.get('recordCut')}</p>}
    </>
  );
  const summary = texts.get('recordText');
  return <Folded class="raw" open={invalid !== undefined} summary={summary} content={content} />;
}

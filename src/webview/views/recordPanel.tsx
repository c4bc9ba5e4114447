import { type ComponentChild, createRef, Fragment } from 'preact';
import type { PageTextKey } from '../../summary/pageTexts';
import {
  type Column,
  type Field,
  type InvalidReason,
  type TableRecord,
  type ComparedCell,
  comparedFields,
} from '../../engine/page';
import { reveal, showRecord } from '../state/actions';
import { Folded, IconButton, TextButton } from '../dom/components';
import { focusShown } from '../dom/dom';
import { usefulFirst } from '../../vocabulary/fieldOrder';
import { failureText, LatestCall } from '../state/hostLink';
import type { RecordLinks, ShownRecord } from '../../protocol/tableProtocol';
import type { Store } from '../state/store';
import type { Texts } from '../../summary/texts';
import { comparedDays } from '../../summary/comparisonModel';
import { linkLine } from './linkLine';
import { fieldList, valueView } from './valueView';

const invalidTexts: Record<InvalidReason, PageTextKey> = {
  syntax: 'invalidSyntax',
  fields: 'invalidFields',
  tooLong: 'invalidTooLong',
  truncated: 'invalidTruncated',
};

type Fields = readonly (Field & { readonly cell: ComparedCell })[];

/** One record beside the grid. */
export class RecordPanel {
  private readonly body = createRef<HTMLDivElement>();
  private generation: number | undefined;
  private record: number | undefined;
  private title: string;
  /** What the body shows: made once, because a value may have a megabyte. */
  private content: ComponentChild = null;
  /** Those of the previous record stay until those of the new one are known: fields do not jump. */
  private links: RecordLinks & { readonly record?: number } = {};
  private readonly call: LatestCall;
  private readonly linksCall: LatestCall;

  constructor(private readonly store: Store) {
    this.title = store.texts.get('record');
    this.call = new LatestCall(store.link);
    this.linksCall = new LatestCall(store.link);
  }

  readonly focus = (): void => {
    this.body.current?.focus();
  };

  /** Loads the record of the active row. The previous record stays until it is loaded. */
  follow(): void {
    const { texts, view, generation, recordShown, hasWorkspace, activeRecord: record } = this.store;
    if (generation !== this.generation) {
      // Even if the panel is hidden: it may have secret values.
      this.generation = generation;
      this.leave(undefined);
      this.links = {};
      this.content = null;
    }
    if (!recordShown || (record === undefined && view.rows > 0)) {
      return;
    }
    if (record === undefined) {
      this.leave(record);
      this.links = {};
      this.title = texts.get('record');
      this.content = <p class="faint">{texts.get('noRecord')}</p>;
    } else if (record !== this.record) {
      this.leave(record);
      void this.load(record);
      if (hasWorkspace) {
        void this.loadLinks(record);
      }
    }
  }

  private leave(record: number | undefined): void {
    this.record = record;
    this.call.cancel();
    this.linksCall.cancel();
  }

  private async load(record: number): Promise<void> {
    const { store } = this;
    const { texts } = store;
    const title = texts.get('recordTitle', record + 1);
    try {
      const answer = await this.call.request('record', { record });
      const { comparison } = store.about;
      const useful = usefulFirst(answer.fields, store.view.info.columns);
      const fields = comparison ? comparedFields(useful) : useful;
      this.title = comparison ? `${title} \u00b7 ${comparedDays(comparison, texts)}` : title;
      this.show(this.recordView(answer, fields));
      this.body.current?.scrollTo(0, 0);
    } catch (error) {
      const text = failureText(error);
      if (text !== undefined) {
        const again = () => void this.load(record);
        this.title = title;
        this.show(
          <>
            <p role="alert">{text}</p>
            <TextButton onClick={again}>{texts.get('tryAgain')}</TextButton>
          </>,
        );
      }
    }
  }

  private show(content: ComponentChild): void {
    this.content = content;
    this.store.changed();
  }

  private async loadLinks(record: number): Promise<void> {
    // The record shows why it cannot be read.
    const links = await this.linksCall.request('links', { record }).catch(() => ({}));
    this.links = { ...links, record };
    this.store.changed();
  }

  readonly panel = () => {
    const { store, record, links } = this;
    const { texts, link } = store;
    const close = () => {
      showRecord(store, false);
      focusShown();
    };
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
        close();
      }
    };
    return (
      <div
        class="record"
        hidden={!store.recordShown}
        style={{ flexBasis: `${store.recordShare}%` }}
        onKeyDown={press}
      >
        <div class="record-head">
          <h2>{this.title}</h2>
          <IconButton
            name="tree"
            label={texts.get('showFinding')}
            hidden={record === undefined || !store.hasFindings}
            onClick={() => link.send({ type: 'showFinding', record: record ?? 0 })}
          />
          <IconButton name="close" label={texts.get('close')} onClick={close} />
        </div>
        {linkLine(links, texts, (type) => link.send({ type, record: links.record ?? 0 }))}
        <div
          class="record-body"
          ref={this.body}
          tabIndex={0}
          role="region"
          aria-label={texts.get('record')}
        >
          {this.content}
        </div>
      </div>
    );
  };

  private recordView(record: ShownRecord, fields: Fields) {
    const { store } = this;
    const { texts } = store;
    const { invalid, masked, meaning } = record;
    const columns = new Map(store.view.info.columns.map((column) => [column.id, column]));
    return (
      <Fragment key={record.record}>
        {invalid && <p class="invalid-reason">{texts.get(invalidTexts[invalid])}</p>}
        {masked && (
          <p class="faint">
            <TextButton onClick={() => reveal(store)}>{texts.get('showSecrets')}</TextButton>
          </p>
        )}
        {meaning && <p class="meaning">{meaning}</p>}
        {fields.length > 0 &&
          fieldList(fields, ({ cell, column }) => fieldValue(cell, texts, columns.get(column)))}
        {rawText(record, texts)}
      </Fragment>
    );
  }
}

/** A value. If it has changed, both versions, the old one first. */
function fieldValue(cell: ComparedCell, texts: Texts, column: Column | undefined) {
  return cell.was ? (
    <dd class="differs changed-value">
      <del data-label={texts.get('oldValue')}>{valueView(cell.was, texts, column)}</del>
      <ins data-label={texts.get('newValue')}>{valueView(cell, texts, column)}</ins>
    </dd>
  ) : (
    <dd data-kind={cell.kind}>{valueView(cell, texts, column)}</dd>
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

import { type ComponentChild, createRef } from 'preact';
import type { RecordAction } from '../../protocol/recordProtocol';
import type { RecordLinks, ShownRecord } from '../../summary/shownRecord';
import { setRecordShown } from '../state/actions';
import { IconButton } from '../dom/components';
import { focusShown } from '../dom/dom';
import { failureText, LatestCall } from '../state/hostLink';
import type { Store } from '../state/store';
import { noRecord, recordBody, recordHead } from './record';

/** The record of the active row, beside the grid. */
export class RecordPanel {
  private readonly body = createRef<HTMLDivElement>();
  private generation: number | undefined;
  private record: number | undefined;
  private title: string;
  private shown: ShownRecord | undefined;
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
      this.generation = generation;
      this.leave(undefined);
      if (!this.store.keepsShown) {
        // Even if the panel is hidden: it may have secret values.
        this.forget();
      }
    }
    if (!recordShown || (record === undefined && view.rows > 0)) {
      return;
    }
    if (record === undefined) {
      this.leave(record);
      this.forget();
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

  private forget(): void {
    this.links = {};
    this.shown = undefined;
    this.content = null;
  }

  private async load(record: number): Promise<void> {
    const { texts } = this.store;
    try {
      this.shown = await this.call.request('record', { record });
      this.title = this.shown.title;
      this.drawShown(record);
      this.body.current?.scrollTo(0, 0);
    } catch (error) {
      const message = failureText(error);
      if (message !== undefined) {
        const state = { type: 'failed', message, tryAgain: texts.get('tryAgain') } as const;
        this.shown = undefined;
        this.title = texts.get('recordTitle', record + 1);
        this.draw(noRecord(state, () => void this.load(record)));
      }
    }
  }

  private drawShown(record: number): void {
    if (this.shown) {
      const { record: linkedRecord, ...links } = this.links;
      const shown = { ...this.shown, links };
      const { texts } = this.store;
      const { send } = this;
      this.draw(recordBody({ shown, record, linkedRecord, level: 2, texts, send }));
    }
  }

  private draw(content: ComponentChild): void {
    this.content = content;
    this.store.changed();
  }

  private async loadLinks(record: number): Promise<void> {
    // The record shows why it cannot be read.
    const links = await this.linksCall.request('links', { record }).catch(() => ({}));
    this.links = { ...links, record };
    this.drawShown(record);
  }

  private readonly send = (action: RecordAction): void => {
    this.store.link.send(action);
  };

  readonly panel = () => {
    const { store, record } = this;
    const { texts, link } = store;
    const close = () => {
      setRecordShown(store, false);
      focusShown();
    };
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
        close();
      }
    };
    const tools = (
      <>
        <IconButton
          name="tree"
          label={texts.get('showFinding')}
          hidden={record === undefined || !store.hasFindings}
          onClick={() => link.send({ type: 'showFinding', record: record ?? 0 })}
        />
        <IconButton name="close" label={texts.get('close')} onClick={close} />
      </>
    );
    return (
      <div
        class="record"
        hidden={!store.recordShown}
        style={{ flexBasis: `${store.recordShare}%` }}
        onKeyDown={press}
      >
        {recordHead(this.title, 2, tools)}
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
}

import {
  maxCopyRows,
  type TableErrorCode,
  type TableInfo,
  type TableRecord,
} from '../../../src/table/types';
import {
  pageMessage,
  type AskMessage,
  type HostMessage,
  type PageMessage,
} from '../../../src/table/protocol';
import { tableTexts } from '../../../src/ui/tableTexts';
import type { FakeHostApi, FakeHostOptions } from './fakeHostApi';
import { columns } from './syntheticRows';
import { SyntheticTable } from './syntheticTable';

/*
 * Stands in for VS Code and the host of a Report Table, inside the page: what the page posts is checked
 * and answered as the protocol says, from synthetic rows.
 */

declare global {
  interface Window {
    fakeHostOptions: FakeHostOptions;
    fakeHost: FakeHostApi;
    acquireVsCodeApi: () => unknown;
  }
}

const { theme, rows, wrongRows, info: given, fields } = window.fakeHostOptions;
const table = new SyntheticTable(rows, wrongRows > 0);
let info: TableInfo = {
  format: { kind: 'ndjson', gzip: false },
  ...{ rows, done: true, bytes: rows * 240, bytesRead: rows * 240 },
  ...{ columns, moreColumns: 0, wrongRows, checked: true },
  ...given,
};
const held = new Map<string, (() => void)[]>();
const failures = new Map<string, { code: TableErrorCode; message: string }>();
const cancelled = new Set<number>();

function send(message: HostMessage): void {
  window.postMessage(JSON.parse(JSON.stringify(message)), '*');
}

function init(): void {
  send({ type: 'init', info, revealed: table.reveal, texts: tableTexts(), locale: 'en' });
}

function receive(message: PageMessage): void {
  switch (message.type) {
    case 'ready':
      init();
      break;
    case 'reload': {
      const { changed: _changed, ...rest } = info;
      info = rest;
      init();
      break;
    }
    case 'reveal':
      table.reveal = message.on;
      init();
      break;
    case 'cancel':
      cancelled.add(message.id);
      break;
    case 'openRecord':
    case 'openText':
      break;
    default:
      answerInTurn(message);
  }
}

function answerInTurn(message: AskMessage): void {
  const queue = held.get(message.type);
  const reply = (): void => {
    const { type, id } = message;
    const failure = failures.get(type);
    if (cancelled.has(id)) {
      send({ type: 'answer', id, ok: false, code: 'cancelled', message: 'Cancelled.' });
    } else if (failure) {
      failures.delete(type);
      send({ type: 'answer', id, ok: false, ...failure });
    } else {
      send({ type: 'answer', id, ok: true, result: answer(message) });
    }
  };
  if (queue) {
    queue.push(reply);
  } else {
    setTimeout(reply);
  }
}

function answer(message: AskMessage): unknown {
  switch (message.type) {
    case 'query':
      return table.query(message.query);
    case 'rows': {
      const { view, from, count, columns: ids = columns.map(({ id }) => id) } = message;
      const total = Math.max(0, Math.min(count, info.rows - from));
      const records = Array.from({ length: total }, (_, at) => table.at(view, from + at));
      return {
        ...{ view, from },
        rows: records.flatMap((record) => (record === undefined ? [] : table.row(record, ids))),
      };
    }
    case 'groups':
      return {
        ...{ view: message.view, from: message.from },
        groups: table.groups(message.from, message.count),
      };
    case 'distinct': {
      const values = table.values(message.column, message.filter);
      return { values: values.slice(0, message.limit), total: values.length };
    }
    case 'count':
      return table.count(message.filter);
    case 'find':
      return find(message);
    case 'locate':
      return table.locate(message.view, message.record);
    case 'record':
      return withFields(table.record(message.record));
    case 'copy':
      return copy(message);
  }
}

function withFields(record: TableRecord): TableRecord {
  const more = fields.map((field) => ({ column: `/${field.name}`, ...field }));
  return { ...record, fields: [...record.fields, ...more] };
}

function find({ view, text, from, backwards }: Extract<AskMessage, { type: 'find' }>): unknown {
  const step = backwards ? -1 : 1;
  for (let moved = 1; moved <= info.rows; moved += 1) {
    const position = (from + step * moved + 2 * info.rows) % info.rows;
    const record = table.at(view, position);
    const row =
      record === undefined
        ? undefined
        : table.row(
            record,
            columns.map(({ id }) => id),
          );
    const at = row?.cells.findIndex((cell) => !cell.masked && cell.text.includes(text)) ?? -1;
    if (row && at >= 0) {
      const wrapped = backwards ? position >= from : position <= from;
      return { position, record: row.record, column: columns[at]?.id, wrapped };
    }
  }
  return null;
}

function copy(range: Extract<AskMessage, { type: 'copy' }>): unknown {
  if (range.countName !== undefined) {
    const groups = table.groups(range.from, range.count);
    window.fakeHost.clipboard = groups.map(({ count }) => String(count)).join('\n');
    return { rows: groups.length, cut: false };
  }
  const count = Math.min(range.count, maxCopyRows, info.rows - range.from);
  const lines = Array.from({ length: Math.min(count, 1000) }, (_, at) => {
    const record = table.at(range.view, range.from + at) ?? 0;
    return table.row(record, range.columns).cells.map(({ text }) => text);
  });
  window.fakeHost.clipboard = lines.map((cells) => cells.join('\t')).join('\n');
  return { rows: count, cut: false };
}

window.fakeHost = {
  received: [],
  clipboard: '',
  update(change) {
    info = { ...info, ...change };
    send({ type: 'info', info });
  },
  do(action) {
    send({ type: 'do', action });
  },
  hold(type) {
    held.set(type, []);
  },
  release(type, reverse = false) {
    const waiting = held.get(type) ?? [];
    held.delete(type);
    (reverse ? waiting.reverse() : waiting).forEach((reply) => {
      reply();
    });
    return waiting.length;
  },
  fail(type, code, message) {
    failures.set(type, { code, message });
  },
  progress(id, share) {
    send({ type: 'progress', id, share });
  },
  reveal(on) {
    table.reveal = on;
    init();
  },
  end(message) {
    send({ type: 'failed', message, tryAgain: 'Try Again', openText: 'Open as Text' });
  },
};

const storage = 'vscode-state';

window.acquireVsCodeApi = () => {
  const root = document.documentElement;
  for (const [name, value] of Object.entries(theme.variables)) {
    root.style.setProperty(name, value);
  }
  document.body.className = theme.bodyClass;
  // What VS Code gives every webview.
  const usual = new CSSStyleSheet();
  usual.replaceSync(`@layer vscode-default {
    html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
    body { overscroll-behavior-x: none; background-color: transparent;
      color: var(--vscode-editor-foreground); font-family: var(--vscode-font-family);
      font-weight: var(--vscode-font-weight); font-size: var(--vscode-font-size);
      margin: 0; padding: 0 20px; }
    a:focus, input:focus, select:focus, textarea:focus {
      outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
    kbd { padding: 3px; border-radius: 3px; border: 1px solid; vertical-align: middle; }
  }`);
  document.adoptedStyleSheets.push(usual);
  return {
    postMessage(message: unknown) {
      const checked = pageMessage(JSON.parse(JSON.stringify(message)));
      window.fakeHost.received.push(checked);
      receive(checked);
    },
    getState: () => JSON.parse(sessionStorage.getItem(storage) ?? 'null') as unknown,
    setState(state: unknown) {
      sessionStorage.setItem(storage, JSON.stringify(state));
    },
  };
};

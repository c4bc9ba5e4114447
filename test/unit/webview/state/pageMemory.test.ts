import * as assert from 'node:assert/strict';
import { noCriteria } from '../../../../src/webview/state/criteria';
import { HostLink, type VsCodeApi } from '../../../../src/webview/state/hostLink';
import { PageMemory } from '../../../../src/webview/state/pageMemory';
import type { PageMessage } from '../../../../src/protocol/tableProtocol';
import type { Store } from '../../../../src/webview/state/store';

type Sent = Parameters<HostLink['send']>[0];

/** What may be shown in front of the page, or start it over. */
const messages: { readonly [Type in Exclude<Sent['type'], 'ready'>]: Sent & { type: Type } } = {
  showList: { type: 'showList', list: '/results' },
  setForm: { type: 'setForm', column: '/a', form: 'dayFirst' },
  markKnown: { type: 'markKnown', on: true, query: {}, from: 0, count: 1 },
  markStated: { type: 'markStated', document: 'vendor.vex.json' },
  showFinding: { type: 'showFinding', record: 1 },
  openFile: { type: 'openFile', record: 1 },
  findAsset: { type: 'findAsset', record: 1 },
  toggleProblems: { type: 'toggleProblems' },
  toggleExcluded: { type: 'toggleExcluded' },
  openCve: { type: 'openCve', id: 'CVE-2021-44228' },
  copyField: { type: 'copyField', record: 1, field: '/a' },
  secrets: { type: 'secrets', on: true },
  export: { type: 'export' },
  saveSummary: { type: 'saveSummary', now: 0, added: [], scope: 'all' },
  reload: { type: 'reload' },
  reopenWithEncoding: { type: 'reopenWithEncoding' },
  openText: { type: 'openText' },
  compare: { type: 'compare' },
  swap: { type: 'swap' },
  trend: { type: 'trend' },
  arranged: { type: 'arranged', columns: [] },
  filtered: { type: 'filtered', filters: {} },
};

describe('The page state', () => {
  const before = Object.getOwnPropertyDescriptor(globalThis, 'window');
  let seen: string[] = [];

  beforeEach(() => {
    seen = [];
    Object.defineProperty(globalThis, 'window', { value: new EventTarget(), configurable: true });
  });
  afterEach(() => {
    if (before) {
      Object.defineProperty(globalThis, 'window', before);
    } else {
      Reflect.deleteProperty(globalThis, 'window');
    }
  });

  /** A page whose record has just been shown. */
  function changedPage(): HostLink {
    const api: VsCodeApi = {
      postMessage: (message) => seen.push((message as PageMessage).type),
      getState: () => undefined,
      setState: (state) => seen.push(`record ${String((state as { record: boolean }).record)}`),
    };
    const link = new HostLink(api, () => undefined);
    const info = { format: { kind: 'ndjson', gzip: false }, bytes: 1 };
    const store: unknown = {
      link,
      filterRow: false,
      typed: { criteria: noCriteria },
      view: { columns: { state: [] }, info, formatRow: () => undefined },
      left: 0,
      scroll: { rowHeight: 22, top: 0 },
      focus: { selection: { active: {}, anchor: {}, kind: 'cells' } },
      record: true,
      firstSort: 'settled',
    };
    const memory = new PageMemory(api, store as Store);
    memory.saveSoon();
    return link;
  }

  for (const message of Object.values(messages)) {
    it(`The page state is saved before the page sends ${message.type}`, () => {
      changedPage().send(message);
      assert.deepEqual(seen, ['record true', message.type]);
    });
  }

  it('The page state is not saved before the page tells what it shows, which hides nothing', () => {
    changedPage().tell({ type: 'shown', query: {}, columns: [] });
    assert.deepEqual(seen, ['shown']);
  });
});

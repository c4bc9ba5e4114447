import assert from 'node:assert/strict';
import type { Column } from '../../../../src/engine/data/column';
import { noCriteria } from '../../../../src/webview/state/criteria';
import { Texts } from '../../../../src/summary/texts';
import { createChips, statusText } from '../../../../src/webview/toolbar/toolbarState';
import { ColumnModel } from '../../../../src/webview/state/columnModel';
import { TableView } from '../../../../src/webview/state/tableView';
import type { Store } from '../../../../src/webview/state/store';
import { column, infoOf } from '../../../helpers/column';
import { englishTexts } from '../../../helpers/columnTitle';

describe('The chips of filters', () => {
  function chipsFor(typed: Readonly<Record<string, string>>, ...columns: readonly Column[]) {
    const filters = Object.fromEntries(
      Object.entries(typed).map(([name, text]) => [`/${name}`, text]),
    );
    const texts = new Texts({ high: 'Hoch' }, 'de');
    const noLink = { request: () => new Promise<never>(() => undefined) };
    const events = { changed: () => undefined, answered: () => undefined };
    const view = new TableView(noLink, texts, new ColumnModel(), events, infoOf(columns));
    view.criteria = { ...noCriteria, filters };
    const page = { texts, view };
    return createChips(page).map(({ label, tones = [] }) => [label, ...tones]);
  }

  it('The chips of filters name columns as their headings do, and values by their words', () => {
    const severity = column('Schweregrad', 'severity');
    const cvss = column('cvss_score', undefined, { type: 'number' });
    assert.deepEqual(chipsFor({ Schweregrad: '==HIGH', cvss_score: '>7' }, severity, cvss), [
      ['Schweregrad: Hoch', 'high'],
      ['CVSS score: >7'],
    ]);
    assert.deepEqual(chipsFor({ Schweregrad: 'high' }, severity), [['Schweregrad: high']]);
  });

  it('The chips of filters leave out what cannot apply, which says so below its heading', () => {
    assert.deepEqual(chipsFor({ a: '>5', b: 'x' }, column('a'), column('b')), [['b: x']]);
  });
});

describe('The status of a table', () => {
  const status = (view: Partial<Record<keyof TableView, unknown>>, outcome?: string) =>
    statusText({
      texts: englishTexts,
      view: { id: 1, open: undefined, grouped: false, shownColumns: { shown: [] }, ...view },
      focus: {
        selection: {
          active: { row: 0, column: 0 },
          anchor: { row: 0, column: 0 },
          kind: 'cells',
        },
      },
      outcome,
    } as unknown as Store);

  it('The status of a table says how many rows there are also while it says what was done', () => {
    const view = { rows: 3, info: { rows: 10, done: true } };
    const outcome = '3 findings are listed in Problems';
    assert.equal(status(view, outcome), '3 of 10 rows \u00b7 3 findings are listed in Problems');
  });

  it('The status of a table says row of one, and rows of none or several', () => {
    const done = (rows: number) => ({ rows, done: true });
    const texts = [
      status({ id: 0, rows: 1, info: { rows: 1, done: false } }),
      status({ id: 0, rows: 2, info: { rows: 2, done: false } }),
      status({ rows: 0, info: done(1) }),
      status({ rows: 1, info: done(2) }),
      status({ rows: 1, matching: 1, grouped: true, info: done(2) }),
      status({ rows: 1, matching: 2, grouped: true, info: done(2) }),
    ];
    assert.deepEqual(texts, [
      '1 row so far',
      '2 rows so far',
      '0 of 1 row',
      '1 of 2 rows',
      '1 group of 1 row',
      '1 group of 2 rows',
    ]);
  });
});

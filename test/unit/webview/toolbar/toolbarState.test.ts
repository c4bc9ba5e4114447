import assert from 'node:assert/strict';
import type { Column } from '../../../../src/engine/data/column';
import { noCriteria } from '../../../../src/webview/state/criteria';
import { Texts } from '../../../../src/summary/texts';
import { createChips } from '../../../../src/webview/toolbar/toolbarState';
import { ColumnModel } from '../../../../src/webview/state/columnModel';
import { TableView } from '../../../../src/webview/state/tableView';
import { column, infoOf } from '../../../helpers/column';

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

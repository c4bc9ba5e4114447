import assert from 'node:assert/strict';
import type { Column } from '../../../src/engine/types';
import { noCriteria } from '../../../src/webview/criteria';
import { Texts } from '../../../src/webview/texts';
import { toolbarState } from '../../../src/webview/toolbarState';
import { column } from '../../helpers/column';

describe('The chips of filters', () => {
  function chipsOf(typed: Readonly<Record<string, string>>, ...columns: readonly Column[]) {
    const filters = new Map(Object.entries(typed).map(([name, text]) => [`/${name}`, text]));
    const page = {
      texts: new Texts({ high: 'Hoch' }, 'de'),
      view: {
        info: { columns, done: true, bytes: 0, rows: 1 },
        criteria: { ...noCriteria, filters },
        columns: { hiddenEmptyCount: 0 },
        rows: 0,
      },
      grid: {
        source: { rows: 0, columns: [] },
        focus: { selection: { anchor: {}, active: {} } },
      },
      links: {},
    };
    const { chips } = toolbarState(page as unknown as Parameters<typeof toolbarState>[0]);
    return chips.map(({ label, tones = [] }) => [label, ...tones]);
  }

  it('name columns as their headings do, and values by their words', () => {
    const severity = column('Schweregrad', 'severity');
    const cvss = column('CVSS', undefined, { type: 'number' });
    assert.deepEqual(chipsOf({ Schweregrad: '==HIGH', CVSS: '>7' }, severity, cvss), [
      ['Schweregrad: Hoch', 'high'],
      ['CVSS: >7'],
    ]);
    assert.deepEqual(chipsOf({ Schweregrad: 'high' }, severity), [['Schweregrad: high']]);
  });

  it('leave out what cannot apply, which says so below its heading', () => {
    assert.deepEqual(chipsOf({ a: '>5', b: 'x' }, column('a'), column('b')), [['b: x']]);
  });
});

import assert from 'node:assert/strict';
import type { ComparedCell } from '../../../../src/engine/data/comparisonColumns';
import { comparedText, findDay } from '../../../../src/webview/grid/cellText';
import { column } from '../../../helpers/column';
import { englishTexts as texts } from '../../../helpers/columnTitle';

describe('A date in a cell', () => {
  const seen = column('seen', 'firstSeen', { type: 'date', hasDays: true });
  const cell = (text: string): ComparedCell => ({ kind: 'date', text });
  const shown = (text: string, of = seen) => comparedText(cell(text), of, texts);

  it('A date in a cell is the day in UTC, which is what a filter finds, with the time in its tooltip', () => {
    const time = cell('2026-11-03T23:30:00-05:00');
    assert.equal(comparedText(time, seen, texts), '4 Nov 2026');
    assert.match(findDay(time, seen, texts)?.time ?? '', /^[45] Nov 2026, .+\n2026-11-03T23:30/);
    assert.equal(shown('2026-11-03 08:00'), '3 Nov 2026');
  });

  it('A date in a cell without a time is a day in each column', () => {
    const oneDay = column('seen', 'firstSeen', { type: 'date' });
    assert.equal(shown('2026-11-03', oneDay), '3 Nov 2026');
    assert.equal(findDay(cell('2026-11-03'), oneDay, texts)?.time, '2026-11-03');
  });

  it('A date in a cell has its time where all are of one day, beside an old value, and in other columns', () => {
    const time = '2026-11-03T08:00:00Z';
    assert.equal(shown(time, column('at', undefined, { type: 'date' })), time);
    assert.equal(shown(time, column('note', undefined, { hasDays: true })), time);
    const changed = { ...cell(time), was: cell('2026-11-03T07:00:00Z') };
    assert.equal(comparedText(changed, seen, texts), `2026-11-03T07:00:00Z \u2192 ${time}`);
    assert.equal(shown('no date'), 'no date');
  });

  it('A date in a cell becomes a day when its column turns out to have several', () => {
    const one = cell('2026-11-03T08:00:00Z');
    const early = column('seen', 'firstSeen', { type: 'date' });
    assert.equal(comparedText(one, early, texts), one.text);
    assert.equal(comparedText(one, seen, texts), '3 Nov 2026');
  });
});

describe('A message in a cell', () => {
  it('A message in a cell has the texts of its links to places, and brackets elsewhere stay as they are', () => {
    const cell = (text: string): ComparedCell => ({ kind: 'text', text });
    const of = (name: string) => column(name, undefined, { type: 'text' });
    const message = 'Path from [a \\[user\\]](1) to [query](2), see [docs](https://example.org).';
    assert.equal(
      comparedText(cell(message), of('message.text'), texts),
      'Path from a [user] to query, see [docs](https://example.org).',
    );
    assert.equal(comparedText(cell('f[i](1)'), of('code'), texts), 'f[i](1)');
  });
});

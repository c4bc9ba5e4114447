import assert from 'node:assert/strict';
import { isHostOrAddress } from '../../../src/base/text/hostNames';
import { findHeading } from '../../../src/engine/read/detect/csvHeading';
import { safeFileName } from '../../../src/files/fileName';
import { nameOfList } from '../../../src/summary/documentLists';
import { parseConditions, parseFilter } from '../../../src/vocabulary/filterLanguage';
import { findingRecord } from '../../../src/vocabulary/findingSummary';
import { likelihoodOf, says } from '../../../src/vocabulary/meanings';
import { containsSecretWord, isSecretField } from '../../../src/vocabulary/secretFields';
import { isKnownStatus } from '../../../src/vocabulary/status';
import { isWrittenNumber } from '../../../src/vocabulary/writtenNumbers';
import { describeForLog } from '../../../src/workbench/describeForLog';

/** So long that reading it once for each of its characters would take an hour. */
const length = 2 ** 21;

function repeat(unit: string): string {
  return unit.repeat(length / unit.length);
}

describe('A text of two megabytes', () => {
  it('A text of two megabytes is read once to see what a value is', () => {
    for (const unit of [' ', '\t', ':', '.', '/', '=']) {
      const text = `${repeat(unit)}x`;
      assert.equal(isHostOrAddress(text), false);
      assert.equal(isWrittenNumber(text), false);
      assert.equal(isKnownStatus(text), false);
    }
    for (const unit of [' ', '-', '=']) {
      const records = [
        ['host', 'port'],
        [`${repeat(unit)}x`, '1'],
        ['b', '2'],
      ];
      assert.deepEqual(findHeading(records), { heading: 0, firstRow: 1 });
    }
    assert.equal(isWrittenNumber(`${repeat(' ')}5`), true);
    assert.equal(isKnownStatus(`open${repeat(' ')}- x`), false);
  });

  it('A text of two megabytes is read once to see what a name means', () => {
    for (const unit of ['api', 'geheim', 'runs.', 'at.', 'a_', 'a.', 'first_', 'aB']) {
      const name = repeat(unit);
      assert.equal(isSecretField(name), false);
      assert.equal(containsSecretWord(`${name}_passwort`), true);
      assert.equal(says('otherStatus', name), false);
      assert.equal(says('time', name), false);
      assert.equal(likelihoodOf('severity', `${name}.severity`), undefined);
      assert.deepEqual(findingRecord({ [name]: 'x', host: 'a.example' }, 1).more, [name]);
    }
  });

  it('A text of two megabytes is read once as the name of a file or of a list', () => {
    assert.equal(safeFileName(`a${repeat(' ')}b`), 'a');
    assert.equal(safeFileName(`a.csv${repeat('. ')}`), 'a.csv');
    assert.equal(safeFileName(`${repeat('.')}b`), 'b');
    const list = `a${repeat('[]')}.b`;
    assert.equal(nameOfList(list), 'b');
  });

  it('A text of two megabytes is read once as a filter, and in the log', () => {
    for (const unit of [' ', '\t ']) {
      const typed = `"a${repeat(unit)}`;
      assert.equal(parseFilter(typed).length, 1);
      assert.equal(parseConditions(`a${repeat(unit)}..b`).length, 1);
      assert.equal(parseConditions(`a${repeat(unit)}b`, { areSeverities: true }).length, 1);
      assert.equal(parseConditions(`${repeat(unit)}x | <5`).length, 2);
    }
    const error = Object.assign(new Error('failed'), { stack: `Error${repeat('\n')}x` });
    assert.equal(describeForLog(error), 'Error: failed ');
  });
});

import * as assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json/json';
import { fieldsTooltip } from '../../../../src/service/findings/ui/findingItems';

/** An entry with so many fields. */
function entryOf(fields: number): JsonObject {
  return Object.fromEntries(
    Array.from({ length: fields }, (_, index) => [`field${index}`, `value${index}`]),
  );
}

describe('The tooltip of a finding', () => {
  it('The tooltip of a finding has one field per line, without gaps', () => {
    const { value } = fieldsTooltip('Open port', entryOf(3));
    assert.equal(value.split('\n\n').length, 2, value);
    assert.equal(value.split('  \n').length, 3, value);
  });

  it('The tooltip of a finding has at most eight fields, and says how many more there are', () => {
    const { value } = fieldsTooltip('Open port', entryOf(17));
    assert.equal(value.split('  \n').length, 9);
    assert.match(value.replaceAll('&nbsp;', ' '), /Click for 9 more fields/);
    assert.doesNotMatch(fieldsTooltip('Open port', entryOf(8)).value, /more/);
  });
});

import assert from 'node:assert/strict';
import { shownFinding } from '../../../../src/service/findings/shownFinding';
import { mask } from '../../../../src/vocabulary/secretFields';
import { englishTexts } from '../../../helpers/columnTitle';

describe('A finding of the service as users read it', () => {
  it('A finding of the service as users read it says which of its values are masked', () => {
    const entry = { domain: 'a.example', password: mask, note: mask };
    const { key, more } = shownFinding(entry, {}, englishTexts);
    const fields = [...key, ...more];
    const isMasked = (id: string) => fields.find((field) => field.id === id)?.cell.masked;
    assert.equal(isMasked('password'), true);
    // A text that looks so is what the service says.
    assert.deepEqual([isMasked('note'), isMasked('domain')], [undefined, undefined]);
  });
});

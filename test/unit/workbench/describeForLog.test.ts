import assert from 'node:assert/strict';
import { ForbiddenError, ProtocolError } from '../../../src/api/http/errors';
import { describeForLog } from '../../../src/workbench/describeForLog';

describe('What the log says of an error', () => {
  it('is its place and its cause where nobody expected it', () => {
    const text = describeForLog(new Error('outer', { cause: new TypeError('inner') }));
    assert.match(text, /^Error: outer at .*describeForLog\.test.* caused by TypeError: inner$/s);
  });

  it('is its reason where the answer was not understood', () => {
    assert.equal(
      describeForLog(new ProtocolError('It is no JSON.', { status: 200 })),
      'ProtocolError, status 200, It is no JSON.',
    );
  });

  it('is no word of the service', () => {
    assert.equal(describeForLog(new ForbiddenError('Not for Mary')), 'ForbiddenError');
  });
});

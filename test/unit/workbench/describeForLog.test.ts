import assert from 'node:assert/strict';
import { ForbiddenError, ProtocolError } from '../../../src/api/http/errors';
import { describeForLog } from '../../../src/workbench/describeForLog';

describe('The log entry of an error', () => {
  it('has the stack and the cause of an unexpected error', () => {
    const text = describeForLog(new Error('outer', { cause: new TypeError('inner') }));
    assert.match(text, /^Error: outer at .*describeForLog\.test.* caused by TypeError: inner$/s);
  });

  it('has the reason for a response that cannot be parsed', () => {
    assert.equal(
      describeForLog(new ProtocolError('It is no JSON.', { status: 200 })),
      'ProtocolError, status 200, It is no JSON.',
    );
  });

  it('contains no message of the service', () => {
    assert.equal(describeForLog(new ForbiddenError('Not for Mary')), 'ForbiddenError');
  });
});

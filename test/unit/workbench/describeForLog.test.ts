import assert from 'node:assert/strict';
import { ForbiddenError, ProtocolError } from '../../../src/api/http/errors';
import { message } from '../../../src/base/message';
import { UserError } from '../../../src/base/userError';
import { toFileError } from '../../../src/files/fileError';
import { StoppedError } from '../../../src/workbench/stoppedError';
import { describeForLog } from '../../../src/workbench/describeForLog';

describe('The log entry of an error', () => {
  it('The log entry of an error has the stack and the cause of an unexpected error', () => {
    const text = describeForLog(new Error('outer', { cause: new TypeError('inner') }));
    assert.match(text, /^Error: outer at .*describeForLog\.test.* caused by TypeError: inner$/s);
  });

  it('The log entry of an error has the reason for a response that cannot be parsed', () => {
    assert.equal(
      describeForLog(new ProtocolError('It is no JSON.', { status: 200 })),
      'ProtocolError, status 200, It is no JSON.',
    );
  });

  it('The log entry of an error contains no message of the service', () => {
    assert.equal(describeForLog(new ForbiddenError('Not for Mary')), 'ForbiddenError');
  });

  it('The log entry of an error has the code and not the words of an error for users, which may contain input', () => {
    assert.equal(
      describeForLog(new UserError('"secret" is wrong.', 'config')),
      'UserError, config',
    );
  });

  it('The log entry of an error has the reason why a job stopped', () => {
    const stopped = new StoppedError(message('Again.'), toFileError('ENOSPC'));
    assert.equal(describeForLog(stopped), 'FileError, The disk is full (ENOSPC).');
  });
});

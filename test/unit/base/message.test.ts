import assert from 'node:assert/strict';
import { UserError } from '../../../src/base/userError';
import { message } from '../../../src/base/message';

describe('A message', () => {
  it('A message converts to an English string with its arguments in place', () => {
    assert.equal(
      String(message('No finding {0} of {1}, no {0}.', 7, 'A {1}')),
      'No finding 7 of A {1}, no 7.',
    );
    assert.equal(
      String(message('{0} Found: {1}.', message('Not {0}.', 'x'), '')),
      'Not x. Found: .',
    );
    assert.equal(
      String(message('A list such as {"a": {1}}, {0}', 0)),
      'A list such as {"a": {1}}, 0',
    );
  });

  it('A message is a property of its error, whose own message is the English text for the log', () => {
    const sentence = message('There is no report with the ID {0}.', 'r-1');
    const error = new UserError(sentence, 'config');
    assert.equal(error.message, 'There is no report with the ID r-1.');
    assert.equal(error.sentence, sentence);
    assert.equal(new UserError('For the log.', 'config').sentence, undefined);
  });
});

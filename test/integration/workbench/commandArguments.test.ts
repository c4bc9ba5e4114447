import * as assert from 'node:assert/strict';
import { checkArgument } from '../../../src/workbench/commandArguments';
import { command, failure, isolate } from '../helpers';

describe('The argument of a command', () => {
  isolate();

  it('The argument of a command is refused with a readable sentence, whatever kind of value it has', () => {
    const values: [value: unknown, shown: string][] = [
      ['pdf', 'pdf'],
      [5, '5'],
      [Object.create(null), 'object'],
      [Symbol('csv'), 'symbol'],
      [null, 'object'],
    ];
    for (const [format, shown] of values) {
      assert.throws(() => checkArgument('scorecard.exportFindings', { format }), {
        code: 'badRequest',
        message: `The argument format must be one of csv, json, ndjson, not "${shown}".`,
      });
    }
    const path: unknown = Object.create(null);
    assert.throws(() => checkArgument('scorecard.exportFindings', { path }), {
      code: 'badRequest',
      message: 'The argument path must be a string.',
    });
  });

  it('The argument of a command is refused before anything else, also for a member that the command does not read', async () => {
    await failure(command('scorecard.loadAll', { scorecardId: 'x' }), 'badRequest');
    await failure(command('scorecard.loadAll', { number: 'x' }), 'config');
    const row = { path: '/missing.csv', row: 1 };
    await failure(command('scorecard.openFile', { ...row, number: 0 }), 'badRequest');
    await failure(command('scorecard.openFile', row), 'notFound');
  });

  it('The argument of a command may have members that are undefined', () => {
    const sort = [{ column: 'port', descending: undefined }];
    const { sort: checked } = checkArgument('scorecard.exportTable', { to: undefined, sort });
    assert.deepEqual(checked, sort);
  });
});

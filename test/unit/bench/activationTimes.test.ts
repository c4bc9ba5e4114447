import * as assert from 'node:assert/strict';
import { activationTimes } from '../../../bench/activation/activationTimes';
import { extensionId } from '../../../src/contributions';

describe('The activation benchmark', () => {
  it('The activation benchmark does not count other extensions that load while VS Code waits for the localized texts of one', () => {
    const other = 'vscode.merge-conflict';
    const statistics = [
      '| Extension | Eager | Load Code | Call Activate | Finish Activate | Event | By |',
      '| --- | --- | --- | --- | --- | --- | --- |',
      `| ${other} | false | 15 | 4 | 10 | onStartupFinished | ${other} |`,
      `| ${extensionId} | false | 27 | 9 | 1 | onStartupFinished | ${extensionId} |`,
    ].join('\n');
    const mark = (step: string, id: string, startTime: number) => ({
      name: `code/extHost/${step}LoadExtensionCode/${id}`,
      startTime,
    });
    const marks = [
      mark('will', other, 1_002),
      mark('did', other, 1_015),
      mark('will', extensionId, 1_015),
      mark('did', extensionId, 1_027),
    ];
    assert.deepEqual(
      [...activationTimes({ statistics, marks })],
      [
        [other, 17],
        [extensionId, 21],
      ],
    );
  });
});

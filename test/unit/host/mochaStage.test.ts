import assert from 'node:assert/strict';
import { once } from 'node:events';
import { bundle } from '../../host/paths';
import { startNode } from '../../host/processes';
import type { Counts } from '../../run/counts';
import type { Request } from '../../run/mochaStage';

describe('A process that runs tests', () => {
  it('A process that runs tests reports a file that cannot be loaded, and continues with the next', async () => {
    const worker = startNode(process.execPath, [bundle('run/mochaStage.js'), 'unit'], {
      output: 'pipe',
      channel: true,
    });
    const run = async (file: string): Promise<Counts> => {
      const request: Request = { files: [file] };
      worker.child.send(request);
      const [counts] = (await once(worker.child, 'message')) as [Counts];
      return counts;
    };
    try {
      assert.equal((await run('contributions.test.js')).failures.length, 0);
      const { passed, failures } = await run('missing.test.js');
      assert.equal(passed, 0);
      assert.match(failures.join(), /^missing\.test\.js could not be run\n.*Cannot find module/);
      assert.ok((await run('palette.test.js')).passed > 0);
    } finally {
      await worker.stop();
    }
  });
});

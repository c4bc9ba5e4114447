import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { join } from 'node:path';
import { createNoSpaceError } from '../../../../src/files/fileError';
import { UserError } from '../../../../src/base/userError';
import { findTableCause, TableError } from '../../../../src/engine/data/tableError';
import { UnpackError } from '../../../../src/files/unpack';
import { tableFolder } from '../../../helpers/tableFiles';

describe('The cause of a table error', () => {
  const folder = tableFolder();

  it('The cause of a table error is a code for a file system error, not its message with a path', () => {
    const file = folder.write('a.csv', 'a');
    const thrown = (work: () => unknown): unknown => {
      try {
        work();
      } catch (error) {
        assert.ok(error instanceof Error && error.message.includes(folder.path));
        return error;
      }
      return undefined;
    };
    const missing = join(folder.path, 'none');
    for (const [error, code] of [
      [thrown(() => fs.openSync(missing, 'r')), 'notFound'],
      [thrown(() => fs.openSync(join(file, 'below'), 'r')), 'notFound'],
      [
        thrown(() => {
          fs.rmdirSync(folder.path);
        }),
        'unreadable',
      ],
      [thrown(() => fs.readdirSync(file)), 'notFound'],
      [
        Object.assign(new Error(`EACCES: ${file}`), { code: 'EACCES', syscall: 'open' }),
        'unreadable',
      ],
      [Object.assign(new Error(`ENOSPC: ${file}`), { code: 'ENOSPC', syscall: 'write' }), 'disk'],
      [createNoSpaceError(folder.path, 10, 5), 'disk'],
      [new Error(`Something with ${file}`), 'internal'],
      [new TypeError(file), 'internal'],
      [file, 'internal'],
      [new TableError('changed', ''), 'changed'],
    ] as const) {
      assert.equal(findTableCause(error), code);
    }
  });

  it('The cause of a table error is undefined for an error with its own message', () => {
    assert.equal(findTableCause(new UserError('A sentence.', 'notFound')), undefined);
    assert.equal(findTableCause(new UnpackError('damaged')), undefined);
  });
});

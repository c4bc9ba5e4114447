import * as path from 'node:path';
import { localProcesses } from '../../../../src/files/processes';
import { TempCopies } from '../../../../src/files/tempCopies';
import { FileStates } from '../../../../src/viewer/table/fileStates';
import { LocalFiles } from '../../../../src/viewer/table/ui/localFiles';

/** The files of users, of which nothing is compared. @param folder of copies, and of what files contained before. */
export function userFiles(
  folder: string,
  copies = new TempCopies(path.join(folder, 'unpacked'), localProcesses),
): LocalFiles {
  const knownFindings = () => Promise.resolve([]);
  const states = new FileStates({
    folder: path.join(folder, 'states'),
    knownFindings,
    log: { warn: () => undefined },
  });
  return new LocalFiles(copies, [], states, () => Promise.resolve());
}

import * as path from 'node:path';
import { systemClock } from '../../../../src/base/events/clock';
import { silentLogger } from '../../../../src/base/logger';
import { localDisk } from '../../../../src/files/disk';
import { localProcesses } from '../../../../src/files/processes';
import { KnownIssues } from '../../../../src/known/knownIssues';
import { LastDecision } from '../../../../src/viewer/table/lastDecision';
import { KnownTables } from '../../../../src/viewer/table/ui/knownTables';

/** Known issues that are kept in a folder. */
export function knownIssuesIn(folder: string): KnownIssues {
  return new KnownIssues({
    disk: localDisk,
    clock: systemClock,
    processes: localProcesses,
    lockFolder: path.join(folder, 'locks'),
    file: () => path.join(folder, 'known-issues.sarif'),
  });
}

/** The known issues of the tables of a folder. */
export function knownTablesIn(folder: string, known = knownIssuesIn(folder)): KnownTables {
  const nothing = { get: () => undefined, update: () => Promise.resolve() };
  const last = new LastDecision(nothing);
  return new KnownTables(known, () => undefined, silentLogger, last);
}

import { systemClock } from '../base/events/clock';
import type { Logger } from '../base/logger';
import type { Exporter } from '../service/export/exporter';
import type { FindingsFeature } from '../service/findings/ui/findingsFeature';
import type { ReportLookup } from '../service/reports/ui/reportFiles';
import type { FileSource } from '../viewer/table/ui/fileSource';
import { FindingsFiles } from './findingsFiles';
import { FindingsSource } from './findingsSource';
import type { ReportChanges } from './reportChanges';
import { ReportSource } from './reportSource';

interface TableSourcesDeps {
  readonly log: Logger;
  /** The folder of the findings of lists that are shown as tables; contains nothing else. */
  readonly folder: string;
  readonly exporter: Exporter;
  readonly findings: FindingsFeature;
  readonly reports: ReportLookup;
  readonly changes: ReportChanges;
}

/** What the service gives tables to show: the findings of lists, and reports. */
export class TableSources {
  readonly findingsFiles: FindingsFiles;
  /** Reports come last: they own all of their scheme that the others do not. */
  readonly all: readonly FileSource[];

  constructor({ log, folder, exporter, findings, reports, changes }: TableSourcesDeps) {
    this.findingsFiles = new FindingsFiles(folder, exporter, () => systemClock.now());
    this.all = [
      new FindingsSource(this.findingsFiles, log),
      new ReportSource({ ...reports, ...findings, changes }),
    ];
  }
}

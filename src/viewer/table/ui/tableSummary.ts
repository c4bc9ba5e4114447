import type { TableCallOptions, TableHandle } from '../../../engine';
import type { SummaryParams } from '../../../protocol/tableProtocol';
import { summarizeComparison, summarizeCounts, type Summary } from '../../../summary/summary';
import type { Texts } from '../../../summary/texts';
import { worstRated } from '../../../vocabulary/grade';
import { createTexts, type FileNames } from './exportWords';

/** What is handed on of an overview, and the texts to write it with. */
export interface ReadSummary {
  readonly summary: Summary;
  readonly texts: Texts;
}

type Table = Pick<TableHandle, 'call' | 'info'>;

/** What the overview of a file says when every row is counted, or its comparison. @throws TableError */
export async function readSummary(
  table: Table,
  file: FileNames,
  { now, added, scope }: SummaryParams,
  options: TableCallOptions,
): Promise<ReadSummary> {
  const { about, ratings = {} } = file;
  const texts = createTexts(file);
  if (about.comparison) {
    return { summary: summarizeComparison(about.title, about.comparison, texts), texts };
  }
  const since = about.previousAt;
  const params = { now, scope, rated: worstRated(ratings), ...(since !== undefined && { since }) };
  const overview = await table.call('readOverview', params, options);
  texts.addDomains(overview.domains);
  return {
    summary: summarizeCounts(overview, { texts, about, ratings, info: table.info, added, now }),
    texts,
  };
}

import type { ComparisonAbout, Overview } from '../engine/page';
import { changedOpen, changeTables, comparisonModel, severityTable } from './comparisonModel';
import { handedOn, type Section } from './countRows';
import { fileNotices } from './fileNotices';
import { openTable } from './openBeforeAfter';
import { type OverviewContext, overviewModel } from './overviewModel';
import type { Texts } from './texts';

/** What an overview or a comparison says, to be handed on. All texts are plain. */
export interface Summary {
  readonly title: string;
  readonly facts: readonly string[];
  /** What is wrong in the file, or with the comparison. */
  readonly notices: readonly string[];
  readonly sections: readonly Section[];
}

/** The counts of a file. */
export function summarizeCounts(overview: Overview, context: OverviewContext): Summary {
  const { texts, about, info } = context;
  const { facts, sections } = overviewModel(overview, context);
  // The facts say how many records could not be read, except for CSV.
  const isCsv = info.format.kind === 'csv';
  const notices = fileNotices(isCsv ? info : { ...info, invalidRows: 0 }, texts)
    .filter(({ severity }) => severity !== 'info')
    .map(({ text }) => text);
  return { title: about.title, facts: handedOn(facts), notices, sections };
}

/** What a comparison has found; its severities are in one table. */
export function summarizeComparison(title: string, about: ComparisonAbout, texts: Texts): Summary {
  const open = changedOpen(about);
  return {
    title,
    facts: handedOn(comparisonModel(about, texts).facts),
    notices: about.warnings,
    sections: [
      ...(open ? openTable(open, texts) : []),
      ...severityTable(about, texts),
      ...changeTables(about, texts),
    ],
  };
}

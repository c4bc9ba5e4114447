import type { ReportKind } from '../../api/types';
import { message, type Message } from '../../base/message';
import { plainText } from '../../base/text/plainText';
import type { Report } from '../../commands';

/** What says how a report is called. */
type NamedReport = Pick<Report, 'kind' | 'scorecardId' | 'title'>;

/** Puts a text into the language of the user. */
type Localize = (text: Message) => string;

const kindNames: Readonly<Record<ReportKind, Message>> = {
  full: message('Full report'),
  detailed: message('Detailed report'),
  issues: message('Issues report'),
};

export function nameKind(kind: ReportKind, localize: Localize): string {
  return localize(kindNames[kind]);
}

/** The scope of a report: the name of a scorecard, or all findings. */
export function nameScope(
  { scorecardId, title }: Omit<NamedReport, 'kind'>,
  localize: Localize,
): string {
  // A title is a name in the language in which the report was requested.
  return scorecardId === undefined ? localize(message('All findings')) : plainText(title, 100);
}

/** How a report is called wherever it is named: `Full report: Bluefjord Bank`. */
export function nameReport(report: NamedReport, localize: Localize): string {
  return `${nameKind(report.kind, localize)}: ${nameScope(report, localize)}`;
}

/** The name of a report and when it was made, which distinguish it: `Full report: Bluefjord Bank · 22 Nov 14:03`. */
export function titleReport(report: NamedReport, moment: string, localize: Localize): string {
  return `${nameReport(report, localize)} \u00b7 ${moment}`;
}

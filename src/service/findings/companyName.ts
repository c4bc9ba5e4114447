import { plainText } from '../../base/text/plainText';
import { readText } from '../../vocabulary/findingSummary';
import { namesOf } from '../../vocabulary/meanings';
import type { CompanySummaries } from './companySummaries';
import type { Findings } from './findings';

/** How the company of a scorecard is called, as far as the service has said so: in the company, or in a finding. */
export function findCompanyName(
  scorecardId: string,
  companies: Pick<CompanySummaries, 'of'>,
  findings: Pick<Findings, 'active'>,
): string | undefined {
  const { name, domain } = companies.of(scorecardId) ?? {};
  const lists = findings.active().filter((list) => list.scorecardId === scorecardId);
  const domains = lists.flatMap(({ rows: [first] }) =>
    namesOf('parent').map((field) => first && readText(first.entry[field])),
  );
  return [name, domain, ...domains]
    .map((text) => plainText(text ?? '', 100))
    .find((text) => text !== '');
}

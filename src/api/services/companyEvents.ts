import * as v from 'valibot';
import { ExactNumber, type JsonObject } from '../../base/json/json';
import { plainText } from '../../base/text/plainText';
import { informational, number, parsed, text } from './servedMembers';

/** What findings did: they arrived, are no longer seen, or were refuted and the service agreed. */
const statuses = ['active', 'departed', 'resolved'] as const;

/** Something that happened to a company. */
export interface CompanyEvent {
  readonly id: string;
  /** In milliseconds since the epoch. */
  readonly at: number;
  /** Other kinds may come, which are left out. `recalibration`: the service has changed how it counts. */
  readonly kind: 'issues' | 'breach' | 'recalibration';
  /** Of findings: how many, of which type and severity (as served), and what they did. */
  readonly issues?: {
    readonly count: number;
    readonly status: (typeof statuses)[number];
    readonly issueType: string;
    readonly severity?: string;
  };
  /** What the service says of a breach, as plain text. */
  readonly text?: string;
}

/** @param company the path of the company. */
export function eventsPath(
  company: string,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const [first, last] = [from, to].map((at) => encodeURIComponent(new Date(at).toISOString()));
  return `${company}/history/events/?date_from=${first}&date_to=${last}`;
}

/** The valid ones, the oldest first; each only once. */
export function parseEvents(entries: readonly JsonObject[]): CompanyEvent[] {
  const found = new Map(
    parsed(eventSchema, entries).flatMap((entry) => {
      const event = toEvent(entry);
      return event ? [[event.id, event] as const] : [];
    }),
  );
  return [...found.values()].sort((first, second) => first.at - second.at);
}

const eventSchema = v.object({
  id: v.pipe(v.union([text, v.number(), v.instance(ExactNumber)]), v.transform(String)),
  date: v.pipe(text, v.transform(Date.parse), v.number()),
  event_type: text,
  group_status: informational(text),
  issue_count: informational(v.pipe(number, v.safeInteger(), v.minValue(0))),
  issue_type: informational(text),
  severity: informational(text),
  breach_data: informational(v.object({ description: informational(text) })),
});

function toEvent({
  id,
  date: at,
  event_type: kind,
  breach_data: breach,
  ...entry
}: v.InferOutput<typeof eventSchema>): CompanyEvent | undefined {
  switch (kind) {
    case 'issues': {
      const status = statuses.find((each) => each === entry.group_status);
      const { issue_count: count = 0, issue_type: issueType, severity } = entry;
      return status === undefined || issueType === undefined || count === 0
        ? undefined
        : {
            id,
            at,
            kind,
            issues: { count, status, issueType, ...(severity !== undefined && { severity }) },
          };
    }
    case 'breach': {
      const said = breach?.description;
      return { id, at, kind, ...(said !== undefined && { text: plainText(said, 500) }) };
    }
    case 'recalibration':
      return { id, at, kind };
    default:
      return undefined;
  }
}

import { message, type Message } from '../base/message';
import type { KnownReason } from '../vocabulary/knownReasons';
import type { SaidSeverity } from '../vocabulary/severity';

/*
 * What a user has decided about a finding. It holds for the finding in every report and file, until its day is over or
 * the finding gets worse.
 */

/** The reasons, as users read them. */
export const reasonTexts: Readonly<Record<KnownReason, Message>> = {
  falsePositive: message('False positive'),
  notOurs: message('Not ours'),
  fixed: message('Fixed'),
  compensatingControl: message('Compensating control'),
  acceptedRisk: message('Accepted risk'),
};

/** A decision about one finding. */
export interface Decision {
  /** What tells the finding apart, see `FindingIdentity`. */
  readonly id: string;
  readonly detail?: string;
  readonly isShared?: true;
  /** Where it counts, if the id could mean another finding elsewhere: the URI of a folder, or empty for none. */
  readonly workspace?: string;
  readonly reason: KnownReason;
  /** The last day, such as `2026-06-30` (UTC), or a time. Without it, the decision holds for good. */
  readonly until?: string;
  readonly comment?: string;
  /** When the service was told, as ISO 8601 in UTC. */
  readonly toldAt?: string;
  /** How severe the finding was. */
  readonly severity?: SaidSeverity;
  /** What was found, what it says, and where. */
  readonly rule?: string;
  readonly title?: string;
  readonly place?: string;
}

/** A finding that can be decided about. */
export type DecidableFinding = Omit<Decision, 'reason' | 'until' | 'comment' | 'toldAt'>;

/** Identifies the finding that a decision is about. */
export function findingKey({ id, workspace, detail }: DecidableFinding): string {
  return JSON.stringify([id, workspace, detail]);
}

/** Whether the last day of a decision is over. */
export function isExpired({ until }: Pick<Decision, 'until'>, now: number): boolean {
  return until !== undefined && now > parseEnd(until);
}

/** The end of the year 9999: the years of ISO 8601 have four digits. */
const lastMoment = Date.UTC(10_000, 0) - 1;

/** The end of a day, or a time in UTC, in milliseconds since the epoch; `NaN` if it is neither. */
export function parseEnd(until: string): number {
  const [, day = '', time = 'T23:59:59.999Z'] = /^(\d{4}-\d\d-\d\d)(T.+)?$/.exec(until) ?? [];
  // Dates such as 30 February are no days.
  const isDay = new Date(`${day}T00:00:00Z`).getTime() > 0 && isSameDay(day);
  const end = isDay ? Date.parse(`${day}${time}`) : NaN;
  // In UTC it may be in the year 10000, or before 1970, which this reads no more.
  return new Date(end).getTime() >= 0 && end <= lastMoment ? end : NaN;
}

function isSameDay(day: string): boolean {
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day);
}

/** A moment on the day in all time zones but the outermost, or a time: to be shown. */
export function shownMoment(until: string): number {
  return /^\d{4}-\d\d-\d\d$/.test(until) ? Date.parse(`${until}T12:00:00Z`) : parseEnd(until);
}

/** The day that is so many days after a time. */
export function dayAfter(now: number, days: number): string {
  return new Date(now + days * 86_400_000).toISOString().slice(0, 10);
}

/** Whether an id is one that the service gives: others are composed, in JSON or as a digest. */
export function isOfService({ id }: Pick<Decision, 'id'>): boolean {
  return !/^[[#]/.test(id);
}

/** Whether a decision counts in a workspace. */
export function countsIn({ workspace }: Decision, current: string): boolean {
  return workspace === undefined || workspace === current;
}

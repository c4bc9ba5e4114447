import type { JsonObject } from '../base/json';
import type { Message } from '../base/message';
import { rankOf, summarizeFinding, telling, textOf } from './findingSummary';
import { severityFieldOf } from './severity';

/** What the record of a finding shows, and in which order. */
export interface FindingRecord {
  /** What it is about; see FindingSummary, without its number. */
  readonly title: string | Message;
  /** The names of the fields that stand beside the title; absent where an entry has none. */
  readonly severity?: string;
  readonly status?: string;
  readonly firstSeen?: string;
  readonly lastSeen?: string;
  /** The names of the fields that tell most, the most specific first. */
  readonly key: readonly string[];
  /** The names of the others, as they are served; identifiers last. */
  readonly more: readonly string[];
}

/** Puts the fields of a finding in the order in which a person reads them. */
export function findingRecord(entry: JsonObject, number: number): FindingRecord {
  const has = (name: string) => (textOf(entry[name]) === undefined ? undefined : name);
  const beside = {
    severity: severityFieldOf(entry),
    status: has('group_status'),
    firstSeen: has('first_seen_time'),
    lastSeen: has('last_seen_time'),
  };
  const names = new Set<string | undefined>(Object.values(beside));
  const others = Object.keys(entry)
    .filter((name) => !names.has(name))
    .map((name) => ({ name, rank: rankOf(name) }))
    .sort((first, second) => first.rank - second.rank);
  const { label } = summarizeFinding(entry, number);
  const isKey = ({ name, rank }: { name: string; rank: number }) =>
    rank < telling.length && entry[name] !== null && entry[name] !== '';
  return {
    title: label,
    ...Object.fromEntries(Object.entries(beside).filter(([, name]) => name !== undefined)),
    key: others.filter(isKey).map(({ name }) => name),
    more: others.filter((other) => !isKey(other)).map(({ name }) => name),
  };
}

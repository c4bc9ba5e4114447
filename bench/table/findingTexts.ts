import { Random } from '../../src/demo/data/random';
import { issueTypes as knownTypes } from '../../src/vocabulary/issueTypes';

/** A finding, as texts that need no quotes or escapes in any format. */
export interface FindingTexts {
  readonly id: string;
  readonly type: string;
  readonly factor: string;
  readonly severity: string;
  /** Of about 200,000. */
  readonly host: string;
  readonly port: number;
  readonly firstSeen: string;
  readonly status: string;
  readonly score: number;
  /** A short number that differs from row to row, for descriptions. */
  readonly detail: number;
  readonly random: Random;
}

const types = knownTypes.slice(0, 40);
const severities = ['info', 'low', 'low', 'low', 'medium', 'medium', 'high', 'critical'];
const statuses = ['active', 'active', 'resolved'];
const hosts = 200_000;
const days = 730;
/** A host has findings of few types: the same as each 40th host. */
const typesOfHosts = types.map((_, first) => [...types, ...types].slice(first, first + 8));

/** A time after all of the findings, which their ages are relative to; none is exactly some days old. */
export const now = Date.UTC(2026, 10, 22, 0, 0, 0, 500);

/* Tables: a text is faster to look up than to write. */
const hexDigits = Array.from({ length: 65_536 }, (_, value) => value.toString(16).padStart(4, '0'));
const dates = Array.from({ length: days }, (_, day) => isoTime(day * 86_400).slice(0, 11));
const times = Array.from({ length: 86_400 }, (_, second) => isoTime(second).slice(11));
const hostNames = Array.from({ length: hosts }, (_, number) => `host${number}`);

function isoTime(second: number): string {
  const since = Date.UTC(2024, 10, 1);
  return `${new Date(since + second * 1000).toISOString().slice(0, 19)}Z`;
}

/** The same findings each time, one after the other. */
export class FindingSource {
  private readonly random = new Random(20_261_121, 5);
  private row = 0;

  next(): FindingTexts {
    const { random } = this;
    const host = random.below(hosts);
    const type = random.pick(typesOfHosts[host % types.length] ?? types);
    return {
      id: this.nextId(),
      type: type.key,
      factor: type.factor,
      severity: random.pick(severities),
      host: hostNames[host] ?? '',
      port: random.below(1024),
      firstSeen: random.pick(dates) + random.pick(times),
      status: random.pick(statuses),
      score: random.below(1000) / 10,
      detail: random.below(10_000),
      random,
    };
  }

  /** A UUID that is no other row's: an odd factor maps the 32-bit numbers to themselves, in another order. */
  private nextId(): string {
    const unique = Math.imul(this.row, 2_654_435_761) >>> 0;
    this.row += 1;
    const [other, last] = [this.random.next(), this.random.next()];
    const at = (value: number) => hexDigits[value & 0xffff] ?? '';
    return `${at(unique >>> 16)}${at(unique)}-${at(other >>> 16)}-4${at(other).slice(1)}-a${at(last >>> 4).slice(1)}-${at(last)}${at(unique >>> 8)}${at(last >>> 16)}`;
  }
}

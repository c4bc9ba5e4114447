import { message } from '../../base/message';
import type { SqlDialect } from '../types';
import { NoSqlError, stayHere } from './sqlRefusals';

/** The name of the table of records. */
export const table = 'report';

/** How an engine writes names and values. */
export class SqlSyntax {
  readonly isDuckDb: boolean;

  constructor(dialect: SqlDialect) {
    this.isDuckDb = dialect === 'duckdb';
  }

  name(name: string): string {
    return this.isDuckDb ? `"${name.replaceAll('"', '""')}"` : `\`${name.replaceAll('`', '``')}\``;
  }

  text(text: string): string {
    if (text.includes('\0')) {
      throw new NoSqlError(message('SQL has no texts with NUL characters.'), stayHere);
    }
    return this.isDuckDb
      ? `'${text.replaceAll("'", "''")}'`
      : `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  }

  /** @param time milliseconds since the epoch. */
  time(time: number): string {
    const text = new Date(time)
      .toISOString()
      .replace('T', ' ')
      .replace(/\.000Z$|Z$/, '');
    return `${this.isDuckDb ? 'timestamptz' : 'timestamp'} '${text}+00:00'`;
  }

  /** Whether a value matches a regular expression. */
  matches(value: string, pattern: string): string {
    return this.isDuckDb
      ? `regexp_matches(${value}, ${this.text(pattern)})`
      : `${value} rlike ${this.text(pattern)}`;
  }

  textTest(
    op: 'contains' | 'equals' | 'startsWith' | 'endsWith',
    value: string,
    wanted: string,
  ): string {
    switch (op) {
      case 'contains':
        return `contains(${value}, ${this.text(wanted)})`;
      case 'equals':
        return `${value} = ${this.text(wanted)}`;
      case 'startsWith':
        return `${this.isDuckDb ? 'starts_with' : 'startswith'}(${value}, ${this.text(wanted)})`;
      case 'endsWith':
        return `${this.isDuckDb ? 'ends_with' : 'endswith'}(${value}, ${this.text(wanted)})`;
    }
  }
}

/** The JSON path to a member; `undefined` if a name must be quoted. */
export function pathOf(parts: readonly string[]): string | undefined {
  return parts.every((part) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(part))
    ? ['$', ...parts].join('.')
    : undefined;
}

/** Makes names unique, ignoring case, because engines ignore it. */
export function unique(names: readonly string[]): string[] {
  const seen = new Set<string>();
  return names.map((name) => {
    const first = name === '' ? 'column' : name;
    let found = first;
    for (let number = 2; seen.has(found.toLowerCase()); number += 1) {
      found = `${first}_${number}`;
    }
    seen.add(found.toLowerCase());
    return found;
  });
}

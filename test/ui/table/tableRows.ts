import type { Cell, CellKind, Column } from '../../../src/table/types';

/*
 * Rows that are made from their number alone, so that millions need no memory and a test knows what
 * belongs where.
 */

const column = (id: string, name: string, type: Column['type'], secret = false): Column => ({
  ...{ id, name, type, secret, verified: true },
});

export const columns: readonly Column[] = [
  column('/id', 'id', 'text'),
  column('/severity', 'severity', 'text'),
  column('/score', 'score', 'number'),
  column('/asset', 'asset', 'text'),
  column('/port', 'port', 'number'),
  column('/first_seen', 'first_seen', 'date'),
  column('/open', 'open', 'boolean'),
  column('/details', 'details', 'json'),
  column('/password', 'password', 'text', true),
  column('/note', 'note', 'text'),
];

export const severities = ['critical', 'high', 'info', 'low', 'medium'] as const;

const notes = [
  'Renew the certificate before it expires',
  '<img src=x onerror="document.title=1"><b>bold</b>',
  '=HYPERLINK("https://evil.example")',
  'two\nlines and \u202eright to left',
  'ordinary \u00fcml\u00e4ut \u4f60\u597d \ud83d\ude80 text',
];

const mask = '\u2022\u2022\u2022\u2022\u2022\u2022\u2022\u2022';

/** Every so many rows one is no record: 12 in 5,000,000. */
const wrongEvery = 416_667;

export const isWrong = (row: number): boolean => row % wrongEvery === 5;

const mix = (row: number): number => Math.imul(row ^ 0x9e37, 2_654_435_761) >>> 0;

/** A whole number that orders the values of a column; few enough to be counted. */
export function rank(row: number, id: string): number {
  switch (id) {
    case '/severity':
      return mix(row) % severities.length;
    case '/score':
      return (mix(row) >>> 4) % 1001;
    case '/port':
      return (mix(row) >>> 7) % 1024;
    case '/first_seen':
      return (mix(row) >>> 9) % 2000;
    case '/open':
      return mix(row) & 1;
    default:
      return 0;
  }
}

/** The text of a cell, secrets and all. */
export function textOf(row: number, id: string): string {
  switch (id) {
    case '/id':
      return `F-${String(row + 1).padStart(7, '0')}`;
    case '/severity':
      return severities[rank(row, id)] ?? '';
    case '/score':
      return String(rank(row, id) / 10);
    case '/asset':
      return `host-${mix(row) % 5000}.example.com`;
    case '/port':
      return String(rank(row, id));
    case '/first_seen':
      return new Date(Date.UTC(2021, 0, 1 + rank(row, id), row % 24, row % 60)).toISOString();
    case '/open':
      return rank(row, id) === 1 ? 'true' : 'false';
    case '/details':
      return JSON.stringify({
        tags: ['tls', `n${row % 7}`],
        evidence: { hop: row % 30, ok: true },
      });
    case '/password':
      return `hunter${row}`;
    default:
      return row % 89 === 0 ? '' : (notes[row % notes.length] ?? '');
  }
}

export function cellOf(row: number, { id, type, secret }: Column, reveal: boolean): Cell {
  if (secret && !reveal) {
    return { kind: 'text', text: mask, masked: true };
  }
  if (id === '/note' && row % 89 === 0) {
    return { kind: row % 2 === 0 ? 'null' : 'missing', text: '' };
  }
  return { kind: type as CellKind, text: textOf(row, id) };
}

export const wrongText = '{"id":"F-00';

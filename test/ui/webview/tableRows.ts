import * as fs from 'node:fs';

/* Rows that are made from their number alone, so that a test knows what belongs where. */

export const severities = ['critical', 'high', 'info', 'low', 'medium'] as const;

const notes = [
  'Renew the certificate before it expires',
  '<img src=x onerror="document.title=1"><b>bold</b>',
  '=HYPERLINK("https://evil.example")',
  'two\nlines and \u202eright to left',
  'ordinary \u00fcml\u00e4ut \u4f60\u597d \ud83d\ude80 text',
];

const mix = (row: number): number => Math.imul(row ^ 0x9e37, 2_654_435_761) >>> 0;

/** A record of the usual file. */
export function recordOf(row: number) {
  return {
    id: `F-${String(row + 1).padStart(7, '0')}`,
    severity: severities[mix(row) % severities.length] ?? '',
    score: ((mix(row) >>> 4) % 1001) / 10,
    asset: `host-${mix(row) % 5000}.example.com`,
    port: (mix(row) >>> 7) % 1024,
    first_seen: new Date(
      Date.UTC(2021, 0, 1 + ((mix(row) >>> 9) % 2000), row % 24, row % 60),
    ).toISOString(),
    open: (mix(row) & 1) === 1,
    details: [{ tags: ['tls', `n${row % 7}`], evidence: { hop: row % 30, ok: true } }],
    password: `hunter${row}`,
    ...(row % 89 !== 0
      ? { note: notes[row % notes.length] }
      : // Some have none, others have nothing in it.
        row % 2 === 0 && { note: null }),
  };
}

/** So many records as lines of JSON. */
export function linesOf(rows: number): string {
  return Array.from({ length: rows }, (_, row) => `${JSON.stringify(recordOf(row))}\n`).join('');
}

/** Every so many rows of a large file one is no record: 12 of five million. */
const wrongEvery = 416_667;

/** Rows of the largest file. */
export const manyRows = 5_000_000;

/** Writes a large file, of a multiple of 100,000 rows: CSV of a number and a letter. */
export function writeMany(file: string, rows = manyRows): void {
  const descriptor = fs.openSync(file, 'w');
  const atOnce = 100_000;
  for (let first = 0; first < rows; first += atOnce) {
    let lines = first === 0 ? 'id,letter\n' : '';
    for (let row = first; row < first + atOnce; row++) {
      lines += lineOf(row);
    }
    fs.writeSync(descriptor, lines, null, 'latin1');
  }
  fs.closeSync(descriptor);
}

function lineOf(row: number): string {
  return `${row % wrongEvery === 5 ? '"invalid"' : ''}${row + 1},${'abcde'.charAt(row % 5)}\n`;
}

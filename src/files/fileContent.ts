import { createReadStream } from 'node:fs';
import * as fs from 'node:fs/promises';
import * as path from 'node:path';
import { createGunzip } from 'node:zlib';
import { detectUnicode, mayBeText } from '../base/text/unicodeEncodings';

/** The type of a report's file, which decides how the file is opened. */
export type ReportContent =
  | 'empty'
  | 'pdf'
  | 'gzip'
  | 'zip'
  | 'json'
  | 'ndjson'
  | 'csv'
  | 'text'
  | 'other';

/** How many bytes from the start of a file are read to detect its type. */
const headBytes = 64 * 1024;

const textEndings: Readonly<Partial<Record<string, ReportContent>>> = {
  '.json': 'json',
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.csv': 'csv',
  '.tsv': 'csv',
  '.txt': 'text',
  '.log': 'text',
  '.md': 'text',
  '.xml': 'text',
  '.html': 'text',
  '.yaml': 'text',
  '.yml': 'text',
};

const magics: readonly [ReportContent, readonly number[]][] = [
  ['pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['gzip', [0x1f, 0x8b]],
  ['zip', [0x50, 0x4b, 0x03, 0x04]],
  // A ZIP archive without entries.
  ['zip', [0x50, 0x4b, 0x05, 0x06]],
];

/**
 * The kind of text that a file name suggests, with or without `.gz`; `undefined` for other names.
 */
export function textKindOfName(fileName: string): ReportContent | undefined {
  const name = fileName.toLowerCase().replace(/\.gz$/, '');
  return textEndings[path.extname(name)];
}

/**
 * Detects the content of a file: PDF, gzip and zip by its first bytes, texts by the ending of its name, and by the first
 * character if that says nothing.
 */
export async function contentOfFile(file: string): Promise<ReportContent> {
  return detectContent(await readHead(file), path.basename(file));
}

/** Detects what a gzip file contains; `undefined` if it cannot be unpacked. */
export async function contentOfGzip(file: string): Promise<ReportContent | undefined> {
  const name = path.basename(file).replace(/\.gz$/i, '');
  const packed = createReadStream(file);
  const unpacked = packed.pipe(createGunzip());
  packed.on('error', (error) => unpacked.destroy(error));
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of unpacked as AsyncIterable<Buffer>) {
      pieces.push(piece);
      bytes += piece.length;
      if (bytes >= headBytes) {
        break;
      }
    }
  } catch {
    return undefined;
  } finally {
    packed.destroy();
  }
  return detectContent(Buffer.concat(pieces).subarray(0, headBytes), name);
}

/**
 * Whether a report has rows: CSV, NDJSON, or JSON with an array of objects or arrays, or with one
 * object after another.
 * @param head the first bytes of the file, or all of them.
 */
export function isTabular(head: Uint8Array, content: ReportContent): boolean {
  const text = decodeHead(head);
  switch (content) {
    case 'csv':
    case 'ndjson':
      return text !== undefined;
    case 'json':
      return text !== undefined && /^\s*\[\s*[{[]|[[}]\s*\{/.test(text);
    default:
      return false;
  }
}

/** Whether a file is a spreadsheet: a ZIP archive that begins as Office Open XML or OpenDocument do. */
export function isSpreadsheet(head: Uint8Array): boolean {
  const start = Buffer.from(head.subarray(0, 200)).toString('latin1');
  // The name of the first file is after 30 bytes.
  const firstName =
    /^(\[Content_Types\]\.xml|_rels\/|docProps\/|xl\/|mimetypeapplication\/vnd\.oasis)/;
  return start.startsWith('PK') && firstName.test(start.slice(30));
}

/** The first bytes of a file. */
export async function readHead(file: string): Promise<Buffer> {
  const handle = await fs.open(file, 'r');
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** @param head the first bytes of the file, or all of them. */
export function detectContent(head: Uint8Array, fileName: string): ReportContent {
  if (head.length === 0) {
    return 'empty';
  }
  const match = magics.find(([, magic]) => magic.every((byte, index) => head[index] === byte));
  if (match) {
    return match[0];
  }
  const named = textEndings[path.extname(fileName).toLowerCase()];
  if (!isText(head, { isNamedText: named !== undefined })) {
    return 'other';
  }
  const first = decodeHead(head.subarray(0, 1_024))?.trimStart()[0];
  return named ?? (first === '{' || first === '[' ? 'json' : 'text');
}

/**
 * @param options `isNamedText`: the file has the name of a text file. Such a file may be text that is
 *   not UTF-8.
 */
function isText(head: Uint8Array, { isNamedText }: { isNamedText: boolean }): boolean {
  const encoding = detectUnicode(head, { isWhole: head.length < headBytes });
  if (encoding === 'utf-16le' || encoding === 'utf-16be' || encoding === 'utf-32') {
    return true;
  }
  return mayBeText(head) && (encoding === 'utf-8' || isNamedText);
}

/** The text of the first bytes; `undefined` for UTF-32, which nothing reads. */
function decodeHead(head: Uint8Array): string | undefined {
  const encoding = detectUnicode(head) ?? 'utf-8';
  return encoding === 'utf-32' ? undefined : new TextDecoder(encoding).decode(head);
}

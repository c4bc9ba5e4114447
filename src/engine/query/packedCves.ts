import {
  type CveListFile,
  type CveListTitle,
  type ListedCves,
  maxListedCves,
} from '../data/cveLists';

/** The first bytes of a kept list. */
const mark = 'CVELIST1';
/** Of the mark and the length of the title. */
const prefix = 16;
/** The longest title: the name of a file, and numbers. */
export const maxCveHeader = 8 * 1024;

type Header = Omit<CveListFile, 'file'>;

/**
 * What is kept of a list: its title in JSON, and its arrays, each at a multiple of 8 bytes.
 * @returns the bytes, and what `readCveHeader` reads of them.
 */
export function packCves(
  { name, at }: CveListTitle,
  { codes, known, epss }: ListedCves,
): { readonly bytes: Buffer; readonly header: Header } {
  const header: Header = {
    name,
    at,
    cves: codes.length,
    known: known.reduce((sum, each) => sum + each, 0),
    hasEpss: epss !== undefined,
  };
  const title = Buffer.from(JSON.stringify(header));
  const start = Buffer.alloc(prefix);
  start.write(mark, 'latin1');
  start.writeUInt32LE(title.length, mark.length);
  const arrays = [codes, known, ...(epss ? [epss] : [])].map(bytesOf);
  const begin = Buffer.concat([start, title]);
  return { bytes: Buffer.concat([begin, ...arrays].map(padded)), header };
}

/** The title of a kept list, by its first bytes; `undefined` if they are none of one. */
export function readCveHeader(bytes: Buffer): Header | undefined {
  if (bytes.toString('latin1', 0, mark.length) !== mark || bytes.length < prefix) {
    return undefined;
  }
  const end = prefix + bytes.readUInt32LE(mark.length);
  try {
    const read = JSON.parse(bytes.toString('utf8', prefix, end)) as Partial<Header>;
    const { name, at, cves, known, hasEpss } = read;
    return typeof name === 'string' &&
      [at, cves, known].every(Number.isSafeInteger) &&
      typeof hasEpss === 'boolean'
      ? (read as Header)
      : undefined;
  } catch {
    return undefined;
  }
}

/** The arrays of a kept list, in memory that threads share; `undefined` if the file is not whole. */
export function unpackCves(bytes: Buffer): ListedCves | undefined {
  const header = readCveHeader(bytes);
  if (!header || header.cves > maxListedCves) {
    return undefined;
  }
  const { cves: count, hasEpss } = header;
  const sizes = [8 * count, count, hasEpss ? 4 * count : 0].map(roundUp);
  const [codes = 0, known = 0, epss = 0] = sizes;
  const from = roundUp(prefix + bytes.readUInt32LE(mark.length));
  if (bytes.length < from + codes + known + epss) {
    return undefined;
  }
  const shared = new SharedArrayBuffer(codes + known + epss);
  bytes.copy(new Uint8Array(shared), 0, from);
  return {
    codes: new Float64Array(shared, 0, count),
    known: new Uint8Array(shared, codes, count),
    ...(hasEpss && { epss: new Float32Array(shared, codes + known, count) }),
  };
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

function padded(bytes: Buffer): Buffer {
  return Buffer.concat([bytes], roundUp(bytes.length));
}

function roundUp(length: number): number {
  return Math.ceil(length / 8) * 8;
}

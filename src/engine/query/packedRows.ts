import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { PutPiece } from '../../files/wholeFile';
import { type KeptRows, newKeptRows } from '../data/keptRows';

/*
 * The file of the findings of a state without texts: a head (four letters, the version, the number of findings), then
 * blocks (the number of bytes, and as many bytes of gzip, which tell whether they are whole). Numbers have four bytes, the
 * last of them first. A block has the differences of the digests of ids, which are in ascending order, then the other
 * numbers: all together about eight bytes a finding.
 */

const letters = 'kept';
const version = 1;
const headBytes = 12;

/** A block is made, and read, in less than ten milliseconds. */
const findingsOfBlock = 16_384;

/** Three numbers of four bytes, and one of one byte. */
const bytesOfFinding = 13;

const [zip, unzip] = [promisify(gzip), promisify(gunzip)];

/** Writes findings, block by block. @throws as `put` does */
export async function putKeptRows(rows: KeptRows, put: PutPiece): Promise<void> {
  const count = rows.bits.length;
  const head = Buffer.alloc(headBytes);
  head.write(letters, 'latin1');
  head.writeUInt32LE(version, 4);
  head.writeUInt32LE(count, 8);
  await put(head);
  for (let from = 0; from < count; from += findingsOfBlock) {
    const packed = await zip(createBlock(rows, from, Math.min(count, from + findingsOfBlock)), {
      level: 1,
    });
    const length = Buffer.alloc(4);
    length.writeUInt32LE(packed.length);
    await put(Buffer.concat([length, packed]));
  }
}

/** @throws an error if the file is damaged, or of another version */
export async function parseKeptRows(bytes: Buffer): Promise<KeptRows> {
  const isOurs =
    bytes.length >= headBytes &&
    bytes.toString('latin1', 0, 4) === letters &&
    bytes.readUInt32LE(4) === version;
  const count = isOurs ? bytes.readUInt32LE(8) : NaN;
  // A block of gzip is at most a thousandth of what it contains.
  if (!isOurs || count > 1000 * bytes.length) {
    throw new Error('This is no file of kept findings.');
  }
  const rows = newKeptRows(count);
  let at = headBytes;
  for (let from = 0; from < count; from += findingsOfBlock) {
    const end = at + 4 + (at + 4 <= bytes.length ? bytes.readUInt32LE(at) : Infinity);
    const to = Math.min(count, from + findingsOfBlock);
    const length = bytesOfFinding * (to - from);
    // What is not whole is no gzip.
    const block = await unzip(bytes.subarray(at + 4, end), { maxOutputLength: length });
    if (block.length !== length) {
      throw new Error('A file of kept findings is damaged.');
    }
    readBlock(block, rows, from, to);
    at = end;
  }
  return rows;
}

function createBlock({ high, low, detail, bits }: KeptRows, from: number, to: number): Buffer {
  const count = to - from;
  const block = Buffer.alloc(bytesOfFinding * count);
  for (let at = 0; at < count; at += 1) {
    const before = at === 0 ? 0 : high[from + at - 1]!;
    block.writeUInt32LE(high[from + at]! - before, 4 * at);
    block.writeUInt32LE(low[from + at]!, 4 * (count + at));
    block.writeUInt32LE(detail[from + at]!, 4 * (2 * count + at));
    block[12 * count + at] = bits[from + at]!;
  }
  return block;
}

function readBlock(
  block: Buffer,
  { high, low, detail, bits }: KeptRows,
  from: number,
  to: number,
): void {
  const count = to - from;
  for (let at = 0, before = 0; at < count; at += 1) {
    before += block.readUInt32LE(4 * at);
    high[from + at] = before;
    low[from + at] = block.readUInt32LE(4 * (count + at));
    detail[from + at] = block.readUInt32LE(4 * (2 * count + at));
    bits[from + at] = block[12 * count + at]!;
  }
}

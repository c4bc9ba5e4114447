import { crc32, createInflateRaw } from 'node:zlib';
import type { Truncation } from '../../types';

/** A compressed file. */
export interface PackedFile {
  readonly size: number;
  read(target: Uint8Array, offset: number, length: number, position: number): number;
}

/** The fault of a gzip file. */
export interface GzipFault {
  readonly truncation: Truncation | undefined;
  /** Bytes after the last member. */
  readonly trailingBytes: number;
}

/** Small, because the content of a piece with a fault is lost. */
const pieceBytes = 16 * 1024;

const shortHeaderBytes = 1024;
/** A header has at most 64 KiB of extra fields; longer names do not occur. */
const headerBytes = 128 * 1024;

/**
 * Unpacks a gzip file (RFC 1952) that Node refuses: Node gives no reliable reason, and drops the
 * content of a member with an invalid checksum. This unpacks everything that can be unpacked. Node
 * is several times faster with files of many small members.
 * @param onChunk receives unpacked bytes; false stops.
 * @throws what `read` throws.
 */
export async function unpackDamaged(
  file: PackedFile,
  onChunk: (chunk: Buffer) => boolean,
): Promise<GzipFault> {
  let isDamaged = false;
  for (let position = 0; ;) {
    let header = pieceAt(file, position, shortHeaderBytes);
    let length = headerLength(header);
    if (length !== undefined && length >= header.length) {
      header = pieceAt(file, position, headerBytes);
      length = headerLength(header);
    }
    if (length === undefined) {
      // The fault may be one that is not detected here, such as an invalid checksum of a header.
      const trailingBytes = position === 0 || header[0] === 0 ? 0 : file.size - position;
      const hasOnlyTrailingBytes = !isDamaged && trailingBytes > 0;
      return { truncation: hasOnlyTrailingBytes ? undefined : 'damaged', trailingBytes };
    }
    const member = await inflate(file, position + length, onChunk);
    if (member.fault !== undefined) {
      return { truncation: member.fault, trailingBytes: 0 };
    }
    const trailer = pieceAt(file, member.end, 8);
    if (trailer.length < 8) {
      return { truncation: 'gzip', trailingBytes: 0 };
    }
    isDamaged ||=
      trailer.readUInt32LE(0) !== member.sum || trailer.readUInt32LE(4) !== member.length % 2 ** 32;
    position = member.end + 8;
  }
}

interface Member {
  readonly fault: Truncation | undefined;
  readonly sum: number;
  readonly length: number;
  /** Where its trailer begins. */
  readonly end: number;
}

/** Unpacks one member. */
async function inflate(
  file: PackedFile,
  start: number,
  onChunk: (chunk: Buffer) => boolean,
): Promise<Member> {
  const inflating = createInflateRaw({ chunkSize: pieceBytes });
  let sum = 0;
  let length = 0;
  const ended = new Promise<Truncation | undefined>((resolve) => {
    inflating.on('data', (chunk: Buffer) => {
      sum = crc32(chunk, sum);
      length += chunk.length;
      if (!onChunk(chunk)) {
        inflating.destroy();
        resolve('limit');
      }
    });
    inflating.on('end', () => {
      resolve(undefined);
    });
    inflating.on('error', ({ code }: NodeJS.ErrnoException) => {
      resolve(code === 'Z_BUF_ERROR' ? 'gzip' : 'damaged');
    });
  });
  try {
    for (let at = start; !inflating.readableEnded && !inflating.destroyed;) {
      const piece = pieceAt(file, at, pieceBytes);
      if (piece.length === 0) {
        inflating.end();
        break;
      }
      at += piece.length;
      const written = new Promise<void>((resolve) => {
        inflating.write(piece, () => {
          resolve();
        });
      });
      await Promise.race([written, ended]);
    }
    const fault = await ended;
    return { fault, sum, length, end: start + inflating.bytesWritten };
  } finally {
    inflating.destroy();
  }
}

/** The available bytes, up to this many. */
function pieceAt(file: PackedFile, position: number, bytes: number): Buffer {
  const piece = Buffer.allocUnsafe(bytes);
  return piece.subarray(0, file.read(piece, 0, bytes, position));
}

/**
 * The length of a member's header, which may exceed the given bytes; `undefined` if no member
 * starts here.
 */
function headerLength(bytes: Buffer): number | undefined {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b || bytes[2] !== 8) {
    return undefined;
  }
  const flags = bytes[3] ?? 0;
  let length = 10;
  if ((flags & 4) !== 0) {
    length += 2 + (bytes[length] ?? 0) + 256 * (bytes[length + 1] ?? 0);
  }
  // The name and the comment.
  for (const flag of [8, 16]) {
    if ((flags & flag) !== 0) {
      const end = bytes.indexOf(0, length);
      length = end < 0 ? bytes.length : end + 1;
    }
  }
  return length + ((flags & 2) !== 0 ? 2 : 0);
}

import type { IncomingHttpHeaders } from 'node:http';

/** Bytes from `start` to below `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The one range that a request asks for (RFC 9110 section 14). `undefined` means the whole file:
 * no Range, one that this service does not take (another unit, several ranges, bad syntax), or an
 * If-Range that is not this very file, compared strongly (section 13.1.5).
 */
export function readRange(
  headers: IncomingHttpHeaders,
  size: number,
  etag: string,
): ByteRange | 'unsatisfiable' | undefined {
  const ifRange = headers['if-range'];
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(headers.range ?? '') ?? [];
  if ((ifRange !== undefined && ifRange !== etag) || first === undefined || last === undefined) {
    return undefined;
  }
  if (first === '') {
    // The last so many bytes.
    const length = Math.min(Number(last), size);
    return last === ''
      ? undefined
      : length === 0
        ? 'unsatisfiable'
        : { start: size - length, end: size };
  }
  const start = Number(first);
  const end = last === '' ? size : Math.min(Number(last) + 1, size);
  if (last !== '' && Number(last) < start) {
    return undefined;
  }
  return start < size ? { start, end } : 'unsatisfiable';
}

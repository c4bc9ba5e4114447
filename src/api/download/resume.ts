import type { HttpResponse } from '../http/httpResponse';
import { parseHttpDate } from '../http/retryAfter';
import type { Resume } from '../types';

/** What a Last-Modified must be older than its Date, so that it cannot stand for two versions. */
const strongAfterMs = 60_000;

export interface Extent {
  /** The first byte; what is before it was kept. */
  start: number;
  /** After the last byte of this response, where it says so. */
  end: number | undefined;
  /** Bytes of the whole report, where the service said so. */
  total: number | undefined;
}

/** The headers that ask for the rest of a report, or for all of a newer one. */
export function resumeHeaders(resume: Resume | undefined): Record<string, string> {
  // RFC 9110 sections 14.2 and 13.1.5.
  return resume ? { Range: `bytes=${resume.offset}-`, 'If-Range': resume.validator } : {};
}

/**
 * The validator by which a later response can be known to be of the same bytes: a strong ETag
 * (RFC 9110 section 8.8.3), or, where there is no ETag at all (section 13.1.5), a Last-Modified so
 * much older than the response that it is strong (section 8.8.2.2).
 *
 * @returns `undefined` where there is none, and for a coded body: its bytes are counted decoded.
 */
export function strongValidator(response: HttpResponse): string | undefined {
  const { headers } = response;
  const etag = headers.get('etag');
  if (response.isCoded) {
    return undefined;
  }
  if (etag !== null) {
    return /^"[\x21\x23-\x7e]{1,256}"$/.test(etag) ? etag : undefined;
  }
  const lastModified = headers.get('last-modified') ?? '';
  const [changedAt, answeredAt] = [lastModified, headers.get('date') ?? ''].map((text) =>
    parseHttpDate(text, 0),
  );
  return changedAt !== undefined &&
    answeredAt !== undefined &&
    answeredAt - changedAt >= strongAfterMs
    ? lastModified
    : undefined;
}

/**
 * What a response to a request for the rest gives, when it continues exactly where the kept bytes end
 * and is certainly of the same version (RFC 9110 sections 15.3.7.3 and 15.5.17).
 *
 * @param response 206, or 416.
 * @returns `undefined` on any doubt: then the report is fetched from its start.
 */
export function readRest(response: HttpResponse, resume: Resume): Extent | undefined {
  return response.status === 416 ? readNothingLeft(response, resume) : readPart(response, resume);
}

function readPart(response: HttpResponse, resume: Resume): Extent | undefined {
  const range = /^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/i.exec(contentRange(response));
  if (!range || strongValidator(response) !== resume.validator) {
    return undefined;
  }
  const [start, last, total] = range.slice(1).map(Number) as [number, number, number];
  const end = last + 1;
  const agrees =
    start === resume.offset &&
    start < end &&
    end <= total &&
    (resume.total ?? total) === total &&
    (response.declaredLength ?? end - start) === end - start;
  return agrees ? { start, end, total } : undefined;
}

/** A 416 need not carry a validator; then only a length known before says that nothing is left. */
function readNothingLeft(response: HttpResponse, resume: Resume): Extent | undefined {
  const size = /^bytes \*\/(\d{1,15})$/i.exec(contentRange(response))?.[1];
  const { headers } = response;
  const isSame =
    headers.has('etag') || headers.has('last-modified')
      ? strongValidator(response) === resume.validator
      : resume.total !== undefined;
  const { offset } = resume;
  return isSame && Number(size) === offset && (resume.total ?? offset) === offset
    ? { start: offset, end: offset, total: offset }
    : undefined;
}

function contentRange(response: HttpResponse): string {
  return response.headers.get('content-range')?.trim() ?? '';
}

import { isPlainObject } from '../../base/json';
import type { HttpResponse } from './httpResponse';
import { maskedLine, type Redactor } from './redact';

/** How much of the body of a failed response is read. */
const readBytes = 64 * 1024;

export interface ErrorBody {
  serviceMessage: string | undefined;
  key: string | undefined;
  data: unknown;
}

/**
 * Reads the service's message about a failure, from its envelope `{"error":{"message",...}}` or one
 * of the other common shapes. An HTML page contains nothing worth repeating. Never throws because
 * of the body or how it ends: the status is enough. Secrets are masked after parsing, where no
 * escape can hide them, and only in the texts that are kept.
 *
 * @throws CancelledError
 */
export async function readErrorBody(
  response: HttpResponse,
  redactor: Redactor,
): Promise<ErrorBody> {
  const { bytes, complete } = await response.readAside(readBytes);
  const text = new TextDecoder().decode(bytes).trim();
  const json = complete ? tryParse(text) : undefined;
  if (json !== undefined) {
    return fromJson(json, redactor);
  }
  const isProse = /^(text\/plain)?$/.test(response.mediaType) && !/^[<{[]/.test(text);
  return {
    serviceMessage: isProse ? line(text, redactor) : undefined,
    key: undefined,
    data: undefined,
  };
}

function fromJson(json: unknown, redactor: Redactor): ErrorBody {
  const envelope = isPlainObject(json) && isPlainObject(json.error) ? json.error : json;
  const members = isPlainObject(envelope) ? envelope : {};
  return {
    serviceMessage: line(messageOf(json, 0), redactor),
    key: typeof members.key === 'string' ? line(members.key, redactor) : undefined,
    data: redactor.redactDeep(members.data),
  };
}

/** The first text that stands where services put their message. */
function messageOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') {
    return value;
  }
  if (depth > 3) {
    return undefined;
  }
  const inside = Array.isArray(value)
    ? value.slice(0, 1)
    : isPlainObject(value)
      ? ['error', 'message', 'errors', 'detail', 'title'].map((name) => value[name])
      : [];
  for (const candidate of inside) {
    const message = messageOf(candidate, depth + 1);
    if (message !== undefined) {
      return message;
    }
  }
  return undefined;
}

function line(text: string | undefined, redactor: Redactor): string | undefined {
  const result = maskedLine(text ?? '', (each) => redactor.redact(each));
  return result === '' ? undefined : result;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

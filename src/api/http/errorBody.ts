import { isPlainObject } from '../../base/json/json';
import { asMembers } from '../../base/json/memberNames';
import { maskedLine, type Redactor } from './redact';
import type { HttpResponse } from './transport';

/** How many bytes of the body of a failed response are read. */
const maxBodyBytes = 64 * 1024;

interface ErrorBody {
  serviceMessage: string | undefined;
  key: string | undefined;
  data: unknown;
}

/**
 * Reads the service's message about a failure, from its envelope `{"error":{"message",...}}` or one of the
 * other common shapes. An HTML page contains nothing worth repeating. Never throws because the body is
 * invalid or breaks off: the status is enough. Secrets are masked after parsing, where no escape can hide
 * them, and only in the texts that are returned.
 *
 * @throws CancelledError
 */
export async function readErrorBody(
  response: Pick<HttpResponse, 'mediaType' | 'readOptional' | 'textOf'>,
  redactor: Redactor,
): Promise<ErrorBody> {
  const { bytes, complete } = await response.readOptional(maxBodyBytes);
  const text = response.textOf(bytes).trim();
  const json = complete ? tryParse(text) : undefined;
  if (json !== undefined) {
    return parseEnvelope(json, redactor);
  }
  const isProse = /^(text\/plain)?$/.test(response.mediaType) && !/^[<{[]/.test(text);
  return {
    serviceMessage: isProse ? line(text, redactor) : undefined,
    key: undefined,
    data: undefined,
  };
}

function parseEnvelope(json: unknown, redactor: Redactor): ErrorBody {
  const envelope = isPlainObject(json) && isPlainObject(json.error) ? json.error : json;
  const members = isPlainObject(envelope) ? envelope : {};
  return {
    serviceMessage: line(findMessage(json, 0), redactor),
    key: typeof members.key === 'string' ? line(members.key, redactor) : undefined,
    data: redactor.redactDeep(members.data),
  };
}

/**
 * What a JSON value says of a failure, in the places where services put it; `undefined` if it says nothing.
 * For a response whose status claims success.
 */
export function errorMessageIn(
  json: unknown,
  redact: (text: string) => string,
): string | undefined {
  const isObject = isPlainObject(json) || Array.isArray(json);
  return (isObject && maskedLine(findMessage(json, 0) ?? '', redact)) || undefined;
}

/** Where services put their message, by plain names; the first that has a text counts. */
const messageNames = [
  ...['error', 'message', 'errors', 'errormessage', 'errormessages', 'errordescription', 'detail'],
  ...['title', 'fault', 'faultstring', 'exception', 'exceptionmessage', 'description', 'reason'],
];

/** The first text in a place where services put their message. */
function findMessage(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') {
    return value;
  }
  if (depth > 3) {
    return undefined;
  }
  const inside = Array.isArray(value)
    ? value.slice(0, 1)
    : isPlainObject(value)
      ? messagesIn(value)
      : [];
  for (const candidate of inside) {
    const message = findMessage(candidate, depth + 1);
    if (message !== undefined) {
      return message;
    }
  }
  return undefined;
}

function messagesIn(value: object): unknown[] {
  const members = asMembers(value);
  return messageNames.map((name) => members.get(name));
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

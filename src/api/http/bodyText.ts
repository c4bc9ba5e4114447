import { markedEncoding } from '../../base/text/unicodeEncodings';

/**
 * A body, or its start, as text. It is UTF-8 if it can be: JSON should be (RFC 8259 section 8.1), and some
 * services declare another charset although they send UTF-8. Otherwise it is in the declared charset. A byte
 * order mark is left out.
 *
 * @param contentType the Content-Type of the response; `null` if it has none.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): string {
  const declared = createDecoder(markedEncoding(bytes) ?? declaredCharset(contentType));
  if (!declared || declared.encoding === 'utf-8') {
    return new TextDecoder().decode(bytes);
  }
  // Without a stream, Node 20 reads Windows-1252 as Latin-1.
  const decode = () => declared.decode(bytes, { stream: true }) + declared.decode();
  // ASCII in UTF-16 would be valid UTF-8, with a NUL after each letter.
  return declared.encoding.startsWith('utf-16') ? decode() : (decodeUtf8(bytes) ?? decode());
}

function declaredCharset(contentType: string | null): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s;,"']+)/i.exec(contentType ?? '')?.[1];
}

/** `undefined` for a charset that does not exist. */
function createDecoder(charset: string | undefined): InstanceType<typeof TextDecoder> | undefined {
  try {
    return charset === undefined ? undefined : new TextDecoder(charset);
  } catch {
    return undefined;
  }
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    // As a stream, because the start of a body may end within a character.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
  } catch {
    return undefined;
  }
}

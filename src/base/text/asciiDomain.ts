import { domainToASCII } from 'node:url';
import { isDomainName } from './hostNames';

/** The domain name in a text, in lower case and in ASCII (RFC 5891); `undefined` if it is none. */
export function asciiDomain(text: string): string | undefined {
  const domain = domainToASCII(text.trim().toLowerCase());
  return isDomainName(domain) ? domain : undefined;
}

/** What pages and error documents of services begin with in XML, unless they are web pages (XHTML). */
const xmlStart = /^<(?:\?xml\b|(?:\w+:)?(?:errors?|fault|envelope|problem|response)\b)/i;

/**
 * Whether markup is XML and no web page: storage and gateways say so what has failed.
 * @param mediaType in lower case, without parameters.
 * @param start the beginning of the body, without blanks before it.
 */
export function isXml(mediaType: string, start: string): boolean {
  const isPage = mediaType === 'text/html' || /<html\b/i.test(start);
  return !isPage && (/[/+]xml$/.test(mediaType) || xmlStart.test(start));
}

const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/;

const domainName = /^(?=.{1,253}$)(?:[a-z0-9_-]{1,63}\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{1,59})$/i;

/** Whether a text is a domain name (RFC 1035 section 2.3.1). */
export function isDomainName(text: string): boolean {
  return domainName.test(text);
}

/** Whether a text has the form of a host name, or is an IP address. */
export function isHostOrAddress(text: string): boolean {
  return isDomainName(text) || ipv4.test(text) || isIpv6(text);
}

/** Not by `node:net`, which the page of a table does not have. */
function isIpv6(text: string): boolean {
  return text.includes(':') && /^[0-9a-f:.]*$/i.test(text) && URL.canParse(`http://[${text}]`);
}

const hostOrAddress =
  /^(?:(?:[a-z0-9_-]{1,63}\.)+[a-z]{2,63}|\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]{0,4}(?::[0-9a-f]{0,4}){2,7})$/i;

/** Whether a text has the form of a host name or of an IP address. */
export function isHostOrAddress(text: string): boolean {
  return hostOrAddress.test(text);
}

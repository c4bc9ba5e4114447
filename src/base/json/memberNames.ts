/** A name of a member as different services write it: `report_url`, `reportUrl` and `Report-URL` are the same. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

export type Members = ReadonlyMap<string, unknown>;

export function asMembers(object: object): Members {
  return new Map(Object.entries(object).map(([name, value]) => [plainName(name), value]));
}

/**
 * Whether the authority of a `file:` address (RFC 8089) names a computer whose files have no path here:
 * Windows reads `file://server/share` as a UNC path; elsewhere that would be a path of this computer.
 */
export function isElsewhere(authority: string, platform: NodeJS.Platform): boolean {
  return authority !== '' && platform !== 'win32';
}

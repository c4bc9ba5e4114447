/** Environment variables through which a launcher speaks to the helper extension. */
export const helperVariables = {
  baseUrl: 'SCORECARD_DEMO_BASE_URL',
  apiKey: 'SCORECARD_DEMO_API_KEY',
  /** A JSON file with `baseUrl` and `apiKey` in their place; while there is none, nothing signs in. */
  file: 'SCORECARD_DEMO_FILE',
  /** A file the helper creates when it has signed in. */
  signedInFile: 'SCORECARD_DEMO_SIGNED_IN_FILE',
} as const;

/** Environment variables that a launcher sets for the helper extension. */
export const helperVariables = {
  baseUrl: 'SCORECARD_DEMO_BASE_URL',
  apiKey: 'SCORECARD_DEMO_API_KEY',
  /** A JSON file with `baseUrl` and `apiKey`, used instead of them. While it is missing, nothing signs in. */
  file: 'SCORECARD_DEMO_FILE',
  /** A file the helper creates when it has signed in. */
  signedInFile: 'SCORECARD_DEMO_SIGNED_IN_FILE',
} as const;

/** Environment variables that a launcher sets for the helper extension. */
export const helperVariables = {
  /**
   * A JSON file with `baseUrl` and `apiKey`. While it is missing, nothing signs in. Without this variable, the window
   * shows the demo.
   */
  file: 'SCORECARD_DEMO_FILE',
  /** A file the helper creates when the window is signed in, with the address of the service. */
  signedInFile: 'SCORECARD_DEMO_SIGNED_IN_FILE',
} as const;

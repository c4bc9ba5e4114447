/** Environment variable with the process id of the launcher, see exitWithParent.ts. */
export const launcherVariable = 'SCORECARD_LAUNCHER_PID';

/**
 * Settings of every window we open: nothing on screen but what is to be seen, the same on every
 * machine, and no look at the network for updates and recommendations.
 */
export const defaultSettings: Readonly<Record<string, unknown>> = {
  'workbench.startupEditor': 'none',
  'workbench.colorTheme': 'Dark Modern',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.enableExperiments': false,
  'workbench.tips.enabled': false,
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'git.enabled': false,
  'remote.autoForwardPorts': false,
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.autoDetectColorScheme': false,
};

/** Settings of the windows of tests, in which nothing moves by itself: each picture of it is work. */
export const stillSettings: Readonly<Record<string, unknown>> = {
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
};

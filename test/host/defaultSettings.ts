/**
 * Settings of every window we open: nothing on the screen that is not needed, the same on every machine, and
 * no network requests for updates and recommendations.
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
  // Otherwise VS Code looks for ports in the files that all processes have open, every few seconds.
  'remote.autoForwardPortsSource': 'output',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.autoDetectColorScheme': false,
};

/** Settings of the windows of tests, in which nothing is animated: each frame costs CPU time. */
export const stillSettings: Readonly<Record<string, unknown>> = {
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
  // A hover that opens below a pointer at rest would cover the next row. Tests show theirs by a key.
  'workbench.hover.delay': 3_600_000,
};

/** The clock of tests is faster: with the usual 30 seconds, a busy machine would have six of them to answer. */
export const patientSettings: Readonly<Record<string, unknown>> = {
  'scorecard.requestTimeoutSeconds': 300,
};

/** Settings with which text editors compute and draw only the text. */
export const plainEditorSettings: Readonly<Record<string, unknown>> = {
  'breadcrumbs.enabled': false,
  'editor.bracketPairColorization.enabled': false,
  'editor.colorDecorators': false,
  'editor.folding': false,
  'editor.guides.indentation': false,
  'editor.links': false,
  'editor.matchBrackets': 'never',
  'editor.minimap.enabled': false,
  'editor.occurrencesHighlight': 'off',
  'editor.renderLineHighlight': 'none',
  'editor.renderWhitespace': 'none',
  'editor.selectionHighlight': false,
  'editor.semanticHighlighting.enabled': false,
  'editor.stickyScroll.enabled': false,
  'editor.unicodeHighlight.ambiguousCharacters': false,
  'editor.unicodeHighlight.invisibleCharacters': false,
  'editor.unicodeHighlight.nonBasicASCII': false,
};

/** Settings of a window that nobody looks at: VS Code computes and draws less in it. */
export const unseenSettings: Readonly<Record<string, unknown>> = {
  ...plainEditorSettings,
  'window.commandCenter': false,
  'window.title': 'Tests',
  'workbench.editor.empty.hint': 'hidden',
  'workbench.iconTheme': null,
  'workbench.layoutControl.enabled': false,
  'workbench.statusBar.visible': false,
  'workbench.tree.enableStickyScroll': false,
};

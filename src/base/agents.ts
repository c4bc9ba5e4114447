/** The agents of other makes that MCP configurations are copied for: where these go differs, and their form. */
export const agents = ['vscode', 'cursor', 'windsurf', 'claude', 'other'] as const;

export type Agent = (typeof agents)[number];

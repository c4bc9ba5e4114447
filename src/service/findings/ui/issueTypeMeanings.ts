import * as vscode from 'vscode';

/** What the issue types that are known by name mean, and what to do about their findings, in two sentences. */
export class IssueTypeMeanings {
  private texts: Promise<Readonly<Record<string, string>>> | undefined;

  /** @param bundles the folder of the bundles; `l10n` is beside it. */
  constructor(private readonly bundles: vscode.Uri) {}

  /** In the display language, else in English; `undefined` if the issue type is not known. Never rejects. */
  async of(issueType: string): Promise<string | undefined> {
    try {
      const texts = await (this.texts ??= this.load());
      return Object.hasOwn(texts, issueType) ? texts[issueType] : undefined;
    } catch {
      // A finding is shown without its meaning, and the next one tries again.
      this.texts = undefined;
      return undefined;
    }
  }

  private async load(): Promise<Readonly<Record<string, string>>> {
    const isGerman = vscode.env.language.split('-')[0] === 'de';
    const name = isGerman ? 'issueTypes.de.json' : 'issueTypes.json';
    const file = vscode.Uri.joinPath(this.bundles, '..', 'l10n', name);
    const bytes = await vscode.workspace.fs.readFile(file);
    return JSON.parse(new TextDecoder().decode(bytes)) as Record<string, string>;
  }
}

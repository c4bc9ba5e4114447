import * as fs from 'node:fs';
import * as path from 'node:path';

/**
 * Makes languages known to a VS Code server, by packs that translate nothing of VS Code itself: with one it
 * runs in that language and takes the translations that extensions bring, as with the pack of the
 * marketplace, which no package registry has. Writes what VS Code writes when a pack is installed in a
 * window; installed on the command line, none is noticed.
 *
 * @param userData user data folder of the server; it has no language packs yet.
 * @param languages for example `de`.
 */
export function writeLanguagePacks(userData: string, languages: readonly string[]): void {
  const file = path.join(userData, 'languagePack', 'main.i18n.json');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, JSON.stringify({ version: '1.0.0', contents: {} }));
  const packs = languages.map((language) => [
    language,
    {
      hash: 'tests',
      label: language,
      extensions: [
        {
          extensionIdentifier: { id: `scorecard-tools.language-pack-${language}` },
          version: '1.0.0',
        },
      ],
      translations: { vscode: file },
    },
  ]);
  fs.writeFileSync(
    path.join(userData, 'languagepacks.json'),
    JSON.stringify(Object.fromEntries(packs)),
  );
}

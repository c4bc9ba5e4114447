import * as fs from 'node:fs';
import * as path from 'node:path';

/**
 * Adds languages to a VS Code server with packs that do not translate VS Code itself. With a pack, VS Code
 * runs in its language and uses the translations of extensions, as with the pack from the Marketplace, which
 * no package registry has. Writes what VS Code writes when a pack is installed in a window; VS Code does not
 * notice a pack that is installed on the command line.
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

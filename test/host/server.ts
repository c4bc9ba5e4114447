import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
import { waitLimitMs } from '../run/hangLimit';
import { startFront } from './front';
import { builtInExtensions, serverMain } from './install/hostLayout';
import { hostNode } from './install/hostParts';
import { installHost } from './install/install';
import { writeLanguagePacks } from './install/languagePack';
import { exitWithParent } from './paths';
import { startNode, type RunningProcess } from './processes';
import { defaultSettings } from './defaultSettings';

export interface ServerOptions {
  /**
   * Takes the test payload of the URL and hides every notification toast: for tests inside the
   * extension host, not for those that look at the window. Default false.
   */
  readonly smokeTestDriver?: boolean;
  /** Extensions to install: packaged ones, or folders with a `package.json`. Default none. */
  readonly extensions?: readonly string[];
  /** Languages that a window may run in besides English, see `localeFile`. Default none. */
  readonly languages?: readonly string[];
  /**
   * Leaves out the built-in extensions that no test needs: without them, a window opens in a third less time.
   * Default false.
   */
  readonly fewBuiltIns?: boolean;
  /** User settings on top of {@link defaultSettings}. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Further environment variables of the server, which extensions see as well. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder the window opens. Default: a new empty one that is removed when the server is closed. */
  readonly folder?: string;
  /** Port of the address to open. Default: any free one. */
  readonly port?: number;
}

export interface HostServer {
  /** The address to open in a browser, with its access token and folder. */
  readonly url: string;
  /** For example `http://127.0.0.1:41234`. */
  readonly origin: string;
  /** The folder the window opens. */
  readonly folder: string;
  /** `settings.json` of the user; VS Code applies changes at once. */
  readonly settingsFile: string;
  /** `{ "locale": "de" }` in it sets the language of new windows; VS Code's own texts stay English. */
  readonly localeFile: string;
  /** Logs of the window and of extensions are somewhere below. */
  readonly logFolder: string;
  /** Where extensions keep data that all windows share, each in a folder named after its ID. */
  readonly globalStorage: string;
  /** Settles with the last output of the server if it ends on its own; never rejects. */
  readonly ended: Promise<string>;
  /** Ends the server with everything it started and removes its data. */
  close(): Promise<void>;
}

/** The built-in extensions that are visible in tests: themes, file icons, and editing of JSON and settings. */
const neededBuiltIns = [
  'configuration-editing',
  'json',
  'json-language-features',
  'log',
  'markdown-basics',
  'media-preview',
  'theme-defaults',
  'theme-seti',
  'xml',
  'yaml',
];

/** Prevents requests to an extension registry. */
const noGallery = { EXTENSIONS_GALLERY: '{}' };

/** Starts a VS Code server on loopback with data of its own and waits until it answers. */
export async function startServer(options: ServerOptions = {}): Promise<HostServer> {
  await installHost();
  // Short, because the path of a socket may have at most 107 characters; private, because of the socket.
  const data = fs.mkdtempSync(path.join(os.tmpdir(), 'sce-'));
  const at = (name: string): string => path.join(data, name);
  const removeData = (): void => {
    process.off('exit', removeData);
    fs.rmSync(data, { recursive: true, force: true, maxRetries: 5 });
  };
  // Also when the process ends before anyone could call close().
  process.once('exit', removeData);
  try {
    const folder = options.folder ?? at('workspace');
    fs.mkdirSync(folder, { recursive: true });
    const settingsFile = at('user/User/settings.json');
    fs.mkdirSync(path.dirname(settingsFile), { recursive: true });
    fs.writeFileSync(
      settingsFile,
      JSON.stringify({ ...defaultSettings, ...options.settings }, null, 2),
    );
    writeLanguagePacks(at('user'), options.languages ?? []);
    const token = randomBytes(16).toString('hex');
    fs.writeFileSync(at('token'), token, { mode: 0o600 });
    const socketPath =
      process.platform === 'win32' ? `\\\\.\\pipe\\${path.basename(data)}` : at('socket');
    const folders = [
      '--accept-server-license-terms',
      '--server-data-dir',
      at('server'),
      '--user-data-dir',
      at('user'),
      '--extensions-dir',
      at('extensions'),
      ...(options.fewBuiltIns ? ['--builtin-extensions-dir', linkBuiltIns(at('builtIns'))] : []),
    ];
    // A copy: the server passes the path to every process it forks, and out/ may be rebuilt before that.
    const preload = at('exitWithParent.js');
    fs.copyFileSync(exitWithParent, preload);
    await installExtensions(options.extensions ?? [], at('extensions'), folders);
    const server = startNode(
      hostNode(),
      [
        serverMain,
        ...folders,
        '--socket-path',
        socketPath,
        '--connection-token-file',
        at('token'),
        '--disable-workspace-trust',
        // `--force-disable-user-env` ignores the login shell of the user.
        '--telemetry-level',
        'off',
        '--force-disable-user-env',
        ...(options.smokeTestDriver ? ['--enable-smoke-test-driver'] : []),
      ],
      { output: 'pipe', cwd: folder, preload, env: { ...noGallery, ...options.env } },
    );
    const { ended } = await whenListening(server);
    const front = await startFront({
      socketPath,
      connectionToken: token,
      secretKey: randomBytes(32),
      ...(options.port === undefined ? {} : { port: options.port }),
    }).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
    return {
      url: `${front.origin}/?${new URLSearchParams({ tkn: token, folder }).toString()}`,
      origin: front.origin,
      folder,
      settingsFile,
      localeFile: at('user/User/argv.json'),
      logFolder: at('user/logs'),
      globalStorage: at('user/User/globalStorage'),
      ended,
      async close() {
        await front.close();
        await server.stop();
        removeData();
      },
    };
  } catch (error) {
    removeData();
    throw error;
  }
}

function linkBuiltIns(folder: string): string {
  fs.mkdirSync(folder);
  for (const name of neededBuiltIns) {
    // A junction, which every user of Windows can create; elsewhere the type has no effect.
    fs.symlinkSync(path.join(builtInExtensions, name), path.join(folder, name), 'junction');
  }
  return folder;
}

/** Installs extensions before the server starts. */
async function installExtensions(
  extensions: readonly string[],
  extensionsFolder: string,
  folders: readonly string[],
): Promise<void> {
  const unpacked = extensions.filter((each) => fs.statSync(each).isDirectory());
  // VS Code picks up the extensions that are there when it looks for the first time.
  for (const folder of unpacked) {
    const manifest = fs.readFileSync(path.join(folder, 'package.json'), 'utf8');
    const { publisher, name, version } = JSON.parse(manifest) as Record<string, string>;
    const target = path.join(extensionsFolder, `${publisher}.${name}-${version}`);
    fs.cpSync(folder, target, { recursive: true, filter: (file) => !isForTests(file) });
  }
  const packaged = extensions.filter((each) => !unpacked.includes(each));
  if (packaged.length === 0) {
    return;
  }
  const install = startNode(
    hostNode(),
    [serverMain, ...folders, ...packaged.flatMap((file) => ['--install-extension', file])],
    { output: 'pipe' },
  );
  const output = collectOutput(install);
  const code = await install.exitCode;
  // It exits with 0 even if the file is not an extension.
  const installed = output().match(/was successfully installed/g)?.length ?? 0;
  if (code !== 0 || installed !== packaged.length) {
    throw new Error(`Could not install ${packaged.join(', ')}.\n${output()}`);
  }
}

/** Whether a file of an extension is only for tests: packages leave these out. */
function isForTests(file: string): boolean {
  return file.endsWith('.map') || path.basename(file) === 'test';
}

/** Waits for the line which says that the server accepts connections. */
async function whenListening(server: RunningProcess): Promise<{ ended: Promise<string> }> {
  const output = collectOutput(server);
  const ended = server.exitCode.then(
    (code) => `The VS Code server ended with exit code ${code}.\n${output()}`,
  );
  const listening = new Promise<void>((resolve) => {
    server.child.stdout?.on('data', () => {
      if (output().includes('Extension host agent listening on')) {
        resolve();
      }
    });
  });
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<string>((resolve) => {
    timer = setTimeout(() => {
      resolve(`The VS Code server does not answer after ${waitLimitMs / 1000} s.\n${output()}`);
    }, waitLimitMs);
  });
  const problem = await Promise.race([listening, ended, tooLate]);
  clearTimeout(timer);
  if (problem !== undefined) {
    await server.stop();
    throw new Error(problem);
  }
  return { ended };
}

/** Keeps the last 8,000 characters a process writes. */
function collectOutput(running: RunningProcess): () => string {
  let text = '';
  for (const stream of [running.child.stdout, running.child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text = (text + chunk).slice(-8000);
    });
  }
  return () => text;
}

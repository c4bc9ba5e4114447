import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import * as os from 'node:os';
import * as path from 'node:path';
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
   * Leaves out the extensions that come with VS Code and that no test needs: without them a window takes
   * a third less to open. Default false.
   */
  readonly fewBuiltIns?: boolean;
  /** User settings on top of {@link defaultSettings}. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Further environment variables of the server, which extensions see as theirs. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder the window opens. Default: a new empty one that goes when the server is closed. */
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
  /** `settings.json` of the user; VS Code takes over changes at once. */
  readonly settingsFile: string;
  /** `{ "locale": "de" }` in it is the language of new windows; VS Code's own words stay English. */
  readonly localeFile: string;
  /** Logs of the window and of extensions are somewhere below. */
  readonly logFolder: string;
  /** Where extensions keep what is no window's own, each in a folder of its id. */
  readonly globalStorage: string;
  /** Settles when the server ends by itself, with its last output; never rejects. */
  readonly ended: Promise<string>;
  /** Ends the server with everything it started and removes its data. */
  close(): Promise<void>;
}

/** What comes with VS Code and shows in tests: themes, file icons, and what edits JSON and settings. */
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

/** No look at an extension registry on the network. */
const noGallery = { EXTENSIONS_GALLERY: '{}' };

/** Starts a VS Code server on loopback with data of its own and waits until it answers. */
export async function startServer(options: ServerOptions = {}): Promise<HostServer> {
  await installHost();
  // Short, because the path of a socket may have 107 characters; private, because of the socket.
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
    // The server hands it on to every process it forks; out/ may be built anew before that.
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
        // The login shell of whoever runs this is no part of it.
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
    // A junction, which Windows lets anybody make; elsewhere the kind says nothing.
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
  // VS Code takes in what is there when it looks for the first time.
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
  // It exits with 0 even when the file is no extension.
  const installed = output().match(/was successfully installed/g)?.length ?? 0;
  if (code !== 0 || installed !== packaged.length) {
    throw new Error(`Could not install ${packaged.join(', ')}.\n${output()}`);
  }
}

/** Whether a file of an extension is for tests alone, as packages leave it out. */
function isForTests(file: string): boolean {
  return file.endsWith('.map') || path.basename(file) === 'test';
}

/** Waits for the line with which the server says that it takes connections. */
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
      resolve(`The VS Code server does not answer after 60 s.\n${output()}`);
    }, 60_000);
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

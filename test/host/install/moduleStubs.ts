/**
 * Writes the logs of VS Code instead of a compiled package; without it, every output channel stays empty.
 * Appends synchronously, so that a line is there when a test reads the log.
 */
const spdlog = `'use strict';
const fs = require('node:fs');
const path = require('node:path');
const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];

class Logger {
  constructor(file, level = 2) {
    this.file = file;
    this.level = level;
    this.format = true;
    fs.mkdirSync(path.dirname(file), { recursive: true });
  }
  write(level, text) {
    if (level >= this.level) {
      const stamp = new Date().toISOString().replace('T', ' ').replace('Z', '');
      fs.appendFileSync(this.file, this.format ? \`\${stamp} [\${levels[level]}] \${text}\\n\` : text);
    }
  }
  trace(text) { this.write(0, text); }
  debug(text) { this.write(1, text); }
  info(text) { this.write(2, text); }
  warn(text) { this.write(3, text); }
  error(text) { this.write(4, text); }
  critical(text) { this.write(5, text); }
  getLevel() { return this.level; }
  setLevel(level) { this.level = level; }
  setPattern() { this.format = true; }
  clearFormatters() { this.format = false; }
  flush() {}
  drop() {}
}

exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.shutdown = () => {};
exports.createRotatingLogger = async (_name, file) => new Logger(file);
exports.createAsyncRotatingLogger = async (_name, file) => new Logger(file);
exports.Logger = Logger;
`;

/** An identifier for telemetry, which is off; the package would store one in the user's home. */
const deviceId = `'use strict';
const id = require('node:crypto').randomUUID();
exports.getDeviceId = async () => id;
`;

/** The package ends an extension host whose server is gone; here the whole process group is ended. */
const watchdog = `'use strict';
exports.start = () => {};
`;

/** Copies with `node:fs`; used by the built-in git extension. */
const copyFile = `'use strict';
const fs = require('node:fs');
exports.constants = fs.constants;
exports.copyFile = fs.promises.copyFile;
exports.copyFileSync = fs.copyFileSync;
exports.cp = fs.promises.cp;
exports.isCloneSupported = () => false;
`;

/** Replacements for the packages of the VS Code server that are compiled at installation. */
export const moduleStubs = {
  '@vscode/deviceid': deviceId,
  '@vscode/fs-copyfile': copyFile,
  '@vscode/native-watchdog': watchdog,
  '@vscode/spdlog': spdlog,
} as const;

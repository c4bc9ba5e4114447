/**
 * A window that starts a report or resumes existing ones, and ends when all have ended. In its own
 * process, it can be killed or stopped at any step. The clock of its reports is 20 times as fast as
 * the clock of the machine; its locks are quick.
 */
import * as fs from 'node:fs';
import * as path from 'node:path';
import fetch from 'node-fetch';
import { ApiClient } from '../../../../src/api/client';
import { type Disk, localDisk } from '../../../../src/files/disk';
import { localSyncDisk, type SyncDisk } from '../../../../src/files/syncDisk';
import type { Fetch } from '../../../../src/api/http/transport';
import type { ServiceName } from '../../../../src/api/types';
import { type Clock, systemClock } from '../../../../src/base/events/clock';
import { Emitter } from '../../../../src/base/events/emitter';
import type { JsonObject } from '../../../../src/base/json/json';
import { silentLogger } from '../../../../src/base/logger';
import { createAccount } from '../../../../src/service/account/account';
import { isUnfinished, type StoredReport } from '../../../../src/service/reports/storedReport';
import { Reports } from '../../../../src/service/reports/reports';
import { ReportStore } from '../../../../src/service/reports/reportStore';
import { scorecardId } from '../findings/support';

/** The options of a window. */
export interface WindowTask {
  /** The folder of the records. */
  folder: string;
  baseUrl: string;
  service: ServiceName;
  /** Whether it starts a report. */
  starts: boolean;
  silentMs: number;
  /** The path of a file to which each step is written before it is performed. */
  notes: string;
  /** The step before which it is killed or stopped. */
  end?: { before: string; signal: 'SIGKILL' | 'SIGSTOP' };
}

/** Bytes of a download between two steps. */
const stepBytes = 65_536;

/** An open window. */
export interface ReportWindow {
  /** Settles when there is a report and all have ended, or when it was closed. */
  readonly ended: Promise<void>;
  close(): void;
}

/** Opens a window in this process. */
export function openWindow(task: WindowTask): ReportWindow {
  let end!: () => void;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const seen = new Map<string, number>();

  function step(label: string): void {
    const count = (seen.get(label) ?? 0) + 1;
    seen.set(label, count);
    const name = count === 1 ? label : `${label} (${count})`;
    fs.appendFileSync(task.notes, `${name}\n`);
    if (name === task.end?.before) {
      process.kill(process.pid, task.end.signal);
    }
  }

  /** The label of a written record, by its current file. */
  const labels = new Map<string, string>();

  const disk: SyncDisk = {
    makeFolder: (folder) => {
      step(`make ${kindOf(folder)}`);
      localSyncDisk.makeFolder(folder);
    },
    write: (file, text) => {
      const label = labelOf(text);
      labels.set(file, label);
      labels.set(path.dirname(file), label);
      if (label !== '') {
        step(`write ${label}`);
      }
      localSyncDisk.write(file, text);
    },
    sync: (file) => {
      step(`sync ${labels.get(file) ?? ''}`);
      localSyncDisk.sync(file);
    },
    syncFolder: (folder) => {
      step(`sync folder of ${labels.get(folder) ?? ''}`);
      localSyncDisk.syncFolder(folder);
    },
    move: (from, to) => {
      const label = labels.get(from);
      if (label !== '') {
        step(label === undefined ? `close ${kindOf(from)}` : `rename ${label}`);
      }
      labels.set(path.dirname(to), label ?? '');
      labels.set(to, label ?? '');
      localSyncDisk.move(from, to);
    },
  };

  const partDisk: Disk = {
    ...localDisk,
    open: async (file, flags, mode) => {
      step(file.endsWith('.part') ? 'open part' : 'sync folder of file');
      const handle = await localDisk.open(file, flags, mode);
      const writev = handle.writev.bind(handle);
      const sync = handle.sync.bind(handle);
      handle.writev = ((pieces: Buffer[], position: number) => {
        const end = position - (position % stepBytes) + stepBytes;
        const bytes = Buffer.concat(pieces).subarray(0, end - position);
        if (position % stepBytes === 0) {
          step(`write part at ${position / 1024} KB`);
        }
        return writev([bytes], position);
      }) as typeof writev;
      handle.sync = () => {
        if (file.endsWith('.part')) {
          step('sync part');
        }
        return sync();
      };
      return handle;
    },
    link: (from, to) => {
      step('link file');
      return localDisk.link(from, to);
    },
    unlink: (file) => {
      step('unlink part');
      return localDisk.unlink(file);
    },
  };

  const fetchInSteps = (async (url: string, init: { method: string }) => {
    const name = init.method === 'POST' ? 'request' : 'poll';
    step(`send ${name}`);
    const response = await fetch(url, init);
    step(`read response to ${name}`);
    return response;
  }) as unknown as Fetch;

  const client = new ApiClient({
    baseUrl: task.baseUrl,
    service: task.service,
    apiKey: () => 'k1',
    requestsPerHour: 5000,
    requestTimeoutMs: 1_200_000,
    clock: fast,
    disk: partDisk,
    fetch: fetchInSteps,
  });
  const reports = new Reports({
    store: new ReportStore(task.folder, silentLogger, {
      disk,
      times: { heartbeatMs: 20, goneMs: 60, silentMs: task.silentMs },
    }),
    clock: fast,
    logger: silentLogger,
    session: {
      signedIn: { account: createAccount(task.baseUrl), api: client },
      onDidChange: new Emitter<void>().event,
    },
    settings: () => ({ folder: '', generationTimeoutMs: 3_600_000 }),
    describeFailure: (error) => ({
      code: (error as { code?: string }).code ?? 'unexpected',
      message: String(error),
    }),
  });
  const close = () => {
    reports.dispose();
    client.dispose();
    end();
  };
  reports.onDidChange(() => {
    const all = reports.listShown();
    if (
      all.length > 0 &&
      !all.some((report) => isUnfinished(report) || reports.isRunningHere(report.id))
    ) {
      close();
    }
  });
  reports.resume();
  if (task.starts) {
    reports.start({ kind: 'full', title: 'Full report', ...bodyOf(task.service) }).catch(close);
  }
  return { ended, close };
}

/** The body of a request, where the service needs one. */
function bodyOf(service: ServiceName): { body?: JsonObject } {
  return service === 'interface' ? {} : { body: { params: { scorecard_identifier: scorecardId } } };
}

const fast: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic() * 20,
  setTimeout: (callback, delayMs) => systemClock.setTimeout(callback, delayMs / 20),
};

function kindOf(folder: string): string {
  const name = path.basename(folder);
  return / [\da-f]{12}$/.test(name)
    ? 'owner folder'
    : /^draft-|\.new$/.test(name)
      ? 'folder'
      : name;
}

/** The label of a record; `''` for other texts. */
function labelOf(text: string): string {
  const { schemaVersion, state, unsent, downloadPath } = JSON.parse(text) as Partial<StoredReport>;
  const details = [
    ...(unsent === undefined ? [] : [unsent ? 'not sent' : 'sent']),
    ...(downloadPath === undefined ? [] : ['named']),
  ];
  return schemaVersion === undefined ? '' : `state ${[state, ...details].join(', ')}`;
}

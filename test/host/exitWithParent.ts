/**
 * Preloaded (`node --require`) into every long-lived process the launchers start. Its standard input
 * is a pipe of the launcher; the system closes that pipe however the launcher ends, also after
 * `kill -9`, which no signal handler can see. Then the whole process group is killed.
 */
import { isMainThread } from 'node:worker_threads';
import { launcherVariable } from './launcherVariable';

// Workers and forks inherit the preload but not the pipe: they have another parent.
if (isMainThread && process.env[launcherVariable] === String(process.ppid)) {
  process.stdin.on('close', endGroup);
  process.stdin.resume();
  // The pipe must not keep a finished process alive.
  process.stdin.unref();
}

function endGroup(): void {
  try {
    process.kill(-process.pid, 'SIGKILL');
  } catch {
    // This process is not the leader of a group. The processes that it started watch it.
    process.exit(1);
  }
}

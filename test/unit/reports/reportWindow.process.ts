/**
 * A window as a process of its own, so that it can be killed or stopped at any step.
 *
 *   node reportWindow.process.js '{"folder":…,"baseUrl":…,…}'
 */
import { openWindow, type WindowTask } from './reportWindow';

openWindow(JSON.parse(process.argv[2] ?? '') as WindowTask);

/**
 * A window in its own process, so that it can be killed or stopped at any step.
 *
 *   node reportWindow.process.js '{"folder":…,"baseUrl":…,…}'
 */
import { openWindow, type WindowTask } from './reportWindow';

openWindow(JSON.parse(process.argv[2] ?? '') as WindowTask);

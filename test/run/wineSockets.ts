/**
 * Preloaded into Node for Windows under Wine, which cannot keep idle connections alive: there, the `fetch` of Node, which
 * asks for that before it connects, would never connect.
 */
import { Socket } from 'node:net';

Socket.prototype.setKeepAlive = function setNothing() {
  return this;
};

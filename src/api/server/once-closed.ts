/** Cleans up after responses, even if the client disconnects while its request still waits. */
import type { ServerResponse } from 'node:http';

/** Calls the listener once, when the response has closed. If it has closed already, calls the listener at once. */
export function onceClosed(response: ServerResponse, listener: () => void): void {
  if (response.destroyed) listener();
  else response.once('close', listener);
}

/**
 * Closes a response that waited for an earlier response of the same connection. When a connection closes, Node closes
 * only the response that is being sent, so the `close` event of later responses would never follow.
 */
export function closeQueued(response: ServerResponse): void {
  if (response.destroyed || response.socket !== null) return;
  response.destroy();
  response.emit('close');
}

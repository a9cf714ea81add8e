/**
 * Ends a process whose parent is gone, so that a killed `npm start` leaves no children behind.
 * A process that was started without an IPC channel is left alone.
 */

const GRACE_MS = 5_000;

/**
 * Sends this process a SIGTERM once the IPC channel to its parent closes, and forces it to exit if it
 * is still running five seconds later. The channel itself never keeps the process alive.
 */
export function exitWithParent(): void {
  const { channel } = process;
  if (channel === undefined || channel === null) return;
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), GRACE_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  channel.unref();
}

/** True in a child of `npm start`. */
export function hasParent(): boolean {
  return process.channel !== undefined && process.channel !== null;
}

/** Ends a process when its parent has ended. Works only for processes with an IPC channel. */

const GRACE_MS = 5_000;

/** When the IPC channel to the parent closes, sends this process a SIGTERM. Five seconds later, forces it to exit. */
export function exitWithParent(): void {
  const { channel } = process;
  if (channel === undefined || channel === null) return;
  process.once('disconnect', () => {
    setTimeout(() => process.exit(1), GRACE_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  channel.unref();
}

/** True in a child process of `npm start`. */
export function hasParent(): boolean {
  return process.channel !== undefined && process.channel !== null;
}

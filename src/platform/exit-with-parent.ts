/** Ends a process when its parent has ended. Works only for processes with an IPC channel. */

const GRACE_MS = 5_000;

/** Sends this process a SIGTERM when the IPC channel to its parent closes. Forces it to exit five seconds later. */
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

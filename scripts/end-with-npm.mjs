// Ends a script when npm ends. npm runs scripts through a shell. A signal may kill this shell without reaching the
// script. This module starts nothing.

const PARENT_CHECK_MS = 500;

/** Sends SIGTERM to this process when its parent process has ended. Does nothing if npm did not start this process. */
export function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_MS);
  timer.unref();
}

// Ends a script when npm ends. npm runs scripts through a shell. A signal may kill this shell without reaching the
// script. This module starts nothing.

const PARENT_CHECK_MS = 500;

/** If npm started this process, sends SIGTERM to this process when the parent process has ended. */
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

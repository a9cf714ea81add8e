// Ends a script when npm ends. npm runs scripts through a shell, which a signal may kill without being forwarded to the
// script. This module starts nothing.

const PARENT_CHECK_MS = 500;

/** If npm started this process, the end of the parent process has the same effect as SIGTERM. */
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

// Ends a script with npm, which runs it through a shell that may die of a signal without forwarding it. It starts
// nothing.

const PARENT_CHECK_MS = 500;

/** If npm started this process, the end of its parent is treated like SIGTERM. */
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

// npm runs scripts through a shell that may die of a signal without passing it on. It starts nothing.

const PARENT_CHECK_MS = 500;

/** Counts a parent that is gone as SIGTERM, when npm is what started this process. */
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

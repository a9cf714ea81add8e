/**
 * Loads code of the dashboard, also while the service is away: it waits until the service responds, so that the
 * frame with its banner stays in place. TanStack's lazyRouteComponent reloads the document when an import fails, and
 * without the service that leaves the browser's own error page.
 */

const TRY_EVERY_MS = 2_000;
const RELOADED_AT = 'keepwatch reloaded at';
const RELOAD_AGAIN_MS = 30_000;

/** The same load, which waits. Throws only when the code is missing although the service responds. */
export function patiently<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return async () => {
    try {
      return await load();
    } catch {
      await whenReached();
      return loadAgain(load);
    }
  };
}

/**
 * Browsers may keep an import that failed, and a newer build has other files: then the document is loaded again, which
 * shows the page that was opened. Not twice in a row, so that a fault never reloads for ever.
 */
async function loadAgain<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    return await load();
  } catch (error) {
    if (!(await isReached())) {
      await whenReached();
      return loadAgain(load);
    }
    const reloadedAtMs = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
    if (Date.now() - reloadedAtMs < RELOAD_AGAIN_MS) throw error;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    window.location.reload();
    return new Promise(() => {});
  }
}

let waiting: Promise<void> | null = null;

/** However much waits, the service is asked once every two seconds. */
function whenReached(): Promise<void> {
  waiting ??= waitUntilReached().finally(() => {
    waiting = null;
  });
  return waiting;
}

async function waitUntilReached(): Promise<void> {
  window.dispatchEvent(new Event(NOT_REACHED_EVENT));
  while (!(await isReached()))
    await new Promise((resolve) => {
      setTimeout(resolve, TRY_EVERY_MS);
    });
}

/** Tells the page that the service is away, before any of its reads has found that out. */
export const NOT_REACHED_EVENT = 'keepwatch:not-reached';

/** Any response will do: one of a proxy in front of a service that is away is no success. */
async function isReached(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

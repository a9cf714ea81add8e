/**
 * Loads code of the dashboard. While the service cannot be reached, loading waits, so that the page stays visible.
 * TanStack's lazyRouteComponent is not used, because it would reload the document and show the browser's error page.
 */

const TRY_EVERY_MS = 2_000;
const RELOADED_AT = 'keepwatch reloaded at';
const RELOAD_AGAIN_MS = 30_000;

/**
 * Returns a `load` that waits while the service cannot be reached. If the service responds but the code is missing,
 * throws.
 */
export function loadWhenReached<Module>(load: () => Promise<Module>): () => Promise<Module> {
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
 * Tries to load the code again. If the code is still missing, reloads the document: the browser may have cached the
 * failed import, or a newer build may have other files. Never reloads twice in a row.
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

/** Waits until the service can be reached. All waiting loads share one request every two seconds. */
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

/** The event that reports that the service cannot be reached. */
export const NOT_REACHED_EVENT = 'keepwatch:not-reached';

/**
 * True if the service responds. A proxy in front of an unreachable service responds with an error status, so only a
 * success counts.
 */
async function isReached(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

/**
 * Sends a write request, and repeats the request if the service defers it (503 with Retry-After). A POST has an
 * Idempotency-Key, so that its effect occurs only once.
 */
const SENT_MAX = 3;
const WAIT_MAX_SECONDS = 10;
const KEY_BYTES = 16;

/**
 * Sends up to three times. Returns the last response, which is a deferral if the service has deferred all tries.
 * Rejects as `fetch` does.
 */
export async function sendWithRetries(path: string, init: RequestInit): Promise<Response> {
  const keyed = init.method === 'POST' ? withKey(init) : init;
  for (let sent = 1; ; sent += 1) {
    const response = await fetch(path, keyed);
    const waitSeconds = readDeferral(response);
    if (waitSeconds === null || sent === SENT_MAX) return response;
    await pause(waitSeconds, init.signal ?? null);
  }
}

function withKey(init: RequestInit): RequestInit {
  const headers = new Headers(init.headers);
  headers.set('Idempotency-Key', createKey());
  return { ...init, headers };
}

/** Creates a random key. Unlike `crypto.randomUUID`, this works without HTTPS, too. */
function createKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(KEY_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the seconds to wait before the next try. null if the response is final. */
function readDeferral({ status, headers }: Response): number | null {
  if (status !== 503) return null;
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
  return seconds >= 0 && seconds <= WAIT_MAX_SECONDS ? seconds : null;
}

/** Waits. Rejects when the signal aborts. */
function pause(seconds: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
    if (signal?.aborted === true) reject(signal.reason);
  });
}

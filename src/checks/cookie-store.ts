/** Stores the cookies of a run in order of arrival, within limits. */
import { Cookie, MemoryCookieStore } from 'tough-cookie';

const COOKIES_MAX = 50;
/** Limit for the names, values, domains and paths of all cookies together. */
const BYTES_MAX = 16 * 1024;
export const BOUNDS_SENTENCE = `a run keeps at most ${COOKIES_MAX} cookies and ${BYTES_MAX / 1024} KiB of them, the newest`;

interface CookieStore {
  /** The store that tough-cookie's jar uses. */
  readonly inner: MemoryCookieStore;
  /** All cookies, oldest first. */
  readonly all: () => readonly Cookie[];
  /**
   * Removes expired cookies, and then the oldest cookies until the limits are met. Returns the cookies that were
   * removed only because of the limits.
   */
  readonly dropBeyondBounds: () => readonly Cookie[];
  /** The whole store as text, including values. */
  readonly toText: () => string;
}

/** Creates a store from a text that `toText` returned. null means an empty store. */
export function createCookieStore(text: string | null): CookieStore {
  const inner = new MemoryCookieStore();
  for (const cookie of parseCookies(text)) inner.putCookie(cookie, () => undefined);

  function all(): readonly Cookie[] {
    let found: readonly Cookie[] = [];
    inner.getAllCookies((_error, cookies) => {
      found = cookies ?? [];
    });
    return found;
  }

  function remove({ domain, path, key }: Cookie): void {
    inner.removeCookie(domain ?? '', path ?? '/', key, () => undefined);
  }

  return {
    inner,
    all,
    dropBeyondBounds: () => {
      const nowMs = Date.now();
      for (const cookie of all()) if (isExpired(cookie, nowMs)) remove(cookie);
      const kept = all();
      let bytes = kept.reduce((sum, cookie) => sum + countBytes(cookie), 0);
      const dropped = kept.filter((cookie, index) => {
        const isBeyond = kept.length - index > COOKIES_MAX || bytes > BYTES_MAX;
        if (isBeyond) bytes -= countBytes(cookie);
        return isBeyond;
      });
      for (const cookie of dropped) remove(cookie);
      return dropped;
    },
    toText: () => JSON.stringify(all().map((cookie) => cookie.toJSON())),
  };
}

function isExpired(cookie: Cookie, nowMs: number): boolean {
  const atMs = cookie.expiryTime();
  return atMs !== undefined && atMs <= nowMs;
}

/** Parses the text without checking its shape, because `toText` wrote it. */
function parseCookies(text: string | null): readonly Cookie[] {
  const given: unknown = text === null ? [] : JSON.parse(text);
  if (!Array.isArray(given)) return [];
  return given.flatMap((one: unknown) => Cookie.fromJSON(one) ?? []);
}

function countBytes({ domain, path, key, value }: Cookie): number {
  return Buffer.byteLength([domain, path, key, value].join(''));
}

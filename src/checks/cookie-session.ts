/**
 * The cookies of one try: those of the run, and those that responses set (RFC 6265bis, implemented by tough-cookie).
 */
import { getDomain } from 'tldts';
import { Cookie, CookieJar } from 'tough-cookie';
import type { CookieMode, NamedValue } from '../contracts/definition';
import type { CookieFacts } from '../contracts/outcome';
import { BOUNDS_SENTENCE, createCookieStore } from './cookie-store';

const NOTES_MAX = 10;
const NAME_LENGTH_MAX = 100;
/** Shorter values are not masked, because they occur in ordinary texts by chance. */
const MASKED_LENGTH_MIN = 8;

export interface CookieSession {
  /** Adds the cookies for this URL to the headers. `chain` contains the URLs of the previous hops. */
  readonly withCookies: (request: CookieRequest, chain: readonly URL[]) => readonly NamedValue[];
  /** Stores the `Set-Cookie` lines of a response. Adds a note about each cookie that is rejected or dropped. */
  readonly take: (url: URL, lines: readonly string[]) => void;
  /** Returns the value of the cookie for the URL. If there is none, returns the newest value with that name. */
  readonly find: (name: string, url: URL) => string | undefined;
  /** The values of all cookies that are long enough to be masked. */
  readonly maskedValues: () => readonly string[];
  readonly isChanged: () => boolean;
  /** Describes the cookies that responses have set. */
  readonly facts: () => readonly CookieFacts[];
  readonly notes: () => readonly string[];
  /** Returns all cookies with their values as text, for the next step. */
  readonly toText: () => string;
}

interface CookieRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: readonly NamedValue[];
}

/**
 * Creates the session of one try. `text` contains the cookies of the run. null means that the run has no cookies yet.
 */
export function createCookieSession(mode: CookieMode, text: string | null): CookieSession {
  const store = createCookieStore(mode === 'keep' ? text : null);
  const jar = new CookieJar(store.inner, { allowSecureOnLocal: false, prefixSecurity: 'strict' });
  const notes: string[] = [];
  const set = new Set<string>();
  let isChanged = mode === 'clear' && text !== null;
  // Looking up cookies is expensive, and most checks have no cookies. So the look-up is skipped while this flag is set.
  let isEmpty = mode !== 'keep' || text === null;

  function note(sentence: string): void {
    if (notes.length < NOTES_MAX) notes.push(sentence);
  }

  function sentTo(url: URL, sameSiteContext: 'strict' | 'lax' | 'none'): readonly Cookie[] {
    return isEmpty ? [] : jar.getCookiesSync(url.href, { sameSiteContext, sort: true });
  }

  const all = (): readonly Cookie[] => (isEmpty ? [] : store.all());

  return {
    withCookies: ({ method, url, headers }, chain) =>
      mode === 'ignore'
        ? headers
        : joinCookies(headers, sentTo(url, findSameSiteContext(method, url, chain))),
    take: (url, lines) => {
      for (const line of lines) {
        const taken = takeLine(jar, url, line);
        if (typeof taken === 'string') note(taken);
        else {
          isChanged = true;
          isEmpty = false;
          set.add(formatId(taken));
        }
      }
      if (lines.length === 0) return;
      for (const cookie of store.dropBeyondBounds())
        note(`The cookie “${shortName(cookie.key)}” was dropped: ${BOUNDS_SENTENCE}.`);
    },
    find: (name, url) => {
      const fitting = sentTo(url, 'strict').find(({ key }) => key === name);
      return (fitting ?? all().findLast(({ key }) => key === name))?.value;
    },
    maskedValues: () => all().flatMap(({ value }) => listSpellings(value)),
    isChanged: () => isChanged,
    facts: () =>
      all()
        .filter((cookie) => set.has(formatId(cookie)))
        .map(readFacts),
    notes: () => notes,
    toText: store.toText,
  };
}

/** Stores the cookie of a line and returns it. If the cookie is rejected, returns a sentence with the reason. */
function takeLine(jar: CookieJar, url: URL, line: string): Cookie | string {
  const cookie = Cookie.parse(line);
  if (cookie === undefined) return 'A cookie was refused: its line is malformed.';
  fixExpiry(cookie);
  try {
    jar.setCookieSync(cookie, url.href);
    return cookie;
  } catch (error) {
    return `The cookie “${shortName(cookie.key)}” was refused: ${formatReason(error)}.`;
  }
}

/**
 * Joins the cookies into one header. The step's own `Cookie` header comes first and overrides cookies of the run with
 * the same name.
 */
function joinCookies(
  headers: readonly NamedValue[],
  cookies: readonly Cookie[],
): readonly NamedValue[] {
  const isCookie = ({ name }: NamedValue): boolean => name.toLowerCase() === 'cookie';
  const own = headers.filter(isCookie).map(({ value }) => value);
  const names = new Set(own.flatMap((value) => value.split(';')).map(readPairName));
  const added = cookies.filter(({ key }) => !names.has(key)).map((one) => one.cookieString());
  if (added.length === 0) return headers;
  const value = [...own, ...added].filter((part) => part !== '').join('; ');
  return [...headers.filter((header) => !isCookie(header)), { name: 'cookie', value }];
}

function readPairName(pair: string): string {
  return pair.split('=', 1)[0]?.trim() ?? '';
}

/**
 * Decides which `SameSite` cookies are sent. A step counts as a page that the user opens, so all cookies are sent. A
 * redirect to another site counts as cross-site (RFC 6265bis §5.2). It gets no `SameSite=Strict` cookies, and
 * `SameSite=Lax` cookies only with a safe method.
 */
function findSameSiteContext(
  method: string,
  url: URL,
  chain: readonly URL[],
): 'strict' | 'lax' | 'none' {
  if (chain.every((before) => findSite(before) === findSite(url))) return 'strict';
  return method === 'GET' || method === 'HEAD' ? 'lax' : 'none';
}

function findSite({ protocol, hostname }: URL): string {
  return `${protocol}${getDomain(hostname, { allowPrivateDomains: true }) ?? hostname}`;
}

/** Makes `Max-Age` count from now. By default, tough-cookie would count from the last use of the cookie. */
function fixExpiry(cookie: Cookie): void {
  const { maxAge } = cookie;
  if (maxAge === null) return;
  const ageMs = typeof maxAge === 'number' ? maxAge * 1000 : Number(`${maxAge}`);
  const atMs = ageMs <= 0 ? 0 : Math.min(Date.now() + ageMs, 8.64e15);
  cookie.expires = new Date(atMs);
  cookie.maxAge = null;
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/public suffix/, 'its domain is a public suffix'],
  [/not in this host/, 'its domain is not that of the response'],
  [/secure connection/, 'it is Secure and came over http'],
  [/__(?:Secure|Host) prefix/, 'it does not meet the rules of its prefix'],
];

function formatReason(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const known = REASONS.find(([pattern]) => pattern.test(message));
  return known?.[1] ?? 'it does not fit the response';
}

function formatId({ domain, path, key }: Cookie): string {
  return JSON.stringify([domain, path, key]);
}

function readFacts(cookie: Cookie): CookieFacts {
  const { key, domain, path } = cookie;
  const atMs = cookie.expiryTime();
  return {
    name: shortName(key),
    domain: domain ?? '',
    path: (path ?? '/').slice(0, NAME_LENGTH_MAX),
    expiresAt: atMs === undefined || !isInstant(atMs) ? null : new Date(atMs).toISOString(),
  };
}

function isInstant(atMs: number): boolean {
  return !Number.isNaN(new Date(atMs).getTime());
}

function shortName(name: string): string {
  return name.length <= NAME_LENGTH_MAX ? name : `${name.slice(0, NAME_LENGTH_MAX)}…`;
}

/** Returns the value as it is sent and its decoded form. Both are masked in results, unless they are too short. */
function listSpellings(value: string): readonly string[] {
  const values = [value, decoded(value)];
  return [...new Set(values)].filter((one) => one.length >= MASKED_LENGTH_MIN);
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

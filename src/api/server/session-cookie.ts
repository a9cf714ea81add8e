/** The session cookie, and the origin that a request with this cookie must have. */
import type { IncomingHttpHeaders } from 'node:http';
import { SIGN_IN_STEP_MS } from '../../domain/accounts/second-factor-rules';
import { chooseSessionLimits } from '../../domain/accounts/session-rules';
import { AppError } from '../../platform/errors';

const COOKIE_NAME = 'keepwatch_session';
/** The name of the cookie that binds a sign-in through an identity provider to a browser. */
const FLOW_COOKIE_NAME = 'keepwatch_sign_in';

/**
 * With https, the name has a prefix that pages on sibling host names cannot set (RFC 6265bis §4.1.3.2). Such pages then
 * cannot replace a person's session.
 */
function nameFor(publicUrl: string, name = COOKIE_NAME): string {
  return publicUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/**
 * Returns the Set-Cookie header for a new session: HttpOnly, SameSite=Lax, and Secure if the service uses https. The
 * cookie lasts as long as the session can last.
 */
export function buildSessionCookie(
  { sessionId, staySignedIn }: { readonly sessionId: string; readonly staySignedIn: boolean },
  publicUrl: string,
): string {
  const maxAge = Math.floor(chooseSessionLimits({ staySignedIn }).lifetimeMs / 1000);
  return `${nameFor(publicUrl)}=${sessionId}; Max-Age=${maxAge}; ${attributes(publicUrl)}`;
}

/** Returns the Set-Cookie header that makes the browser forget the session. */
export function buildExpiredSessionCookie(publicUrl: string): string {
  return `${nameFor(publicUrl)}=; Max-Age=0; ${attributes(publicUrl)}`;
}

/**
 * Returns the Set-Cookie header for a sign-in through an identity provider. The browser sends the cookie when it
 * returns from the provider's site.
 */
export function buildFlowCookie(token: string, publicUrl: string): string {
  const maxAge = Math.floor(SIGN_IN_STEP_MS / 1000);
  return `${nameFor(publicUrl, FLOW_COOKIE_NAME)}=${token}; Max-Age=${maxAge}; ${attributes(publicUrl)}`;
}

export function buildExpiredFlowCookie(publicUrl: string): string {
  return `${nameFor(publicUrl, FLOW_COOKIE_NAME)}=; Max-Age=0; ${attributes(publicUrl)}`;
}

export function readFlowCookie(headers: IncomingHttpHeaders, publicUrl: string): string | null {
  return readCookie(headers, nameFor(publicUrl, FLOW_COOKIE_NAME));
}

function attributes(publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  return `Path=/; HttpOnly; SameSite=Lax${secure}`;
}

/** Returns the session id in the request's cookies, or null. */
export function readSessionCookie(headers: IncomingHttpHeaders, publicUrl: string): string | null {
  return readCookie(headers, nameFor(publicUrl));
}

function readCookie(headers: IncomingHttpHeaders, name: string): string | null {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const found = pairs.find((pair) => pair.startsWith(`${name}=`));
  const value = found?.slice(name.length + 1) ?? '';
  return /^[A-Za-z0-9_-]{20,100}$/.test(value) ? value : null;
}

/** Returns the Cookie header without our cookies. */
export function withoutSessionCookie(header: string): string {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair !== '' && !/^(__Host-)?keepwatch_(session|sign_in)=/.test(pair))
    .join('; ');
}

/**
 * Refuses a write that another site caused. `Sec-Fetch-Site` decides if present, otherwise `Origin`. Without both
 * headers, the request is refused.
 */
export function requireOwnOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  if (isFromOwnOrigin(headers, publicUrl) === true) return;
  throw crossSiteRefusal();
}

/**
 * Refuses a write that another site caused. Unlike requireOwnOrigin, accepts clients that are not browsers. Used to
 * open a session.
 */
export function refuseForeignOrigin(headers: IncomingHttpHeaders, publicUrl: string): void {
  if (isFromOwnOrigin(headers, publicUrl) === false) throw crossSiteRefusal();
}

function crossSiteRefusal(): AppError {
  return new AppError(
    'insufficient_scope',
    'A session may only be used from the pages of this service. Use an API key elsewhere.',
  );
}

/**
 * True if a page of our own origin sent the request, or if the browser sent it without a page, for example for a typed
 * URL. null means that no header shows which site sent the request.
 */
export function isFromOwnOrigin(headers: IncomingHttpHeaders, publicUrl: string): boolean | null {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  const { origin } = headers;
  if (origin === undefined) return null;
  if (!URL.canParse(origin)) return false;
  return new URL(origin).host === headers.host || origin === new URL(publicUrl).origin;
}

/**
 * Shared by all public routes of status pages: what they read, and how it is sent. Content for everyone may be cached
 * for a short time; restricted content must not be stored by caches. While the database is unavailable, pages show
 * what was last read.
 */
import { createHash } from 'node:crypto';
import type { Request, Response } from 'express';
import type { StatusPage } from '../../models/status-pages/status-pages';
import { keepLastGood } from '../../platform/last-good';
import type { LedgerResponse } from '../../schemas/responses/ledger';
import type { Dependencies } from '../../services/ports/dependencies';
import { type PublicMonth, readPublicMonth } from '../../services/status-pages/public-posts';
import { type PublicStatus, readPublicStatus } from '../../services/status-pages/public-status';
import { findLedgerOf } from '../routing/check-sources';
import { isAlreadyHeld } from '../routing/preconditions';
import { ownHostOf } from './own-domains';
import { createVisits, isForEveryone, type Visit } from './status-page-visit';

/** How long other visitors see the same read; a changed page is read again immediately. */
const KEPT_FOR_MS = 10_000;
const KEPT_MAX = 200;
const CACHE = 'public, max-age=30';

export interface Site {
  readonly services: Dependencies;
  /** The dashboard's font; null: this process serves none. */
  readonly fontUrl: string | null;
  readonly visit: (request: Request) => Promise<Visit>;
  readonly read: (page: StatusPage) => Promise<PublicStatus>;
  readonly readMonth: (page: StatusPage, startMs: number) => Promise<PublicMonth | null>;
  /** null: the page does not show it. */
  readonly readLedger: (page: StatusPage) => Promise<LedgerResponse | null>;
}

export function createSite(services: Dependencies, fontUrl: string | null): Site {
  return { services, fontUrl, ...createReaders(services), visit: createVisits(services) };
}

/** Links of a page begin with its slug, unless it is at the root of a custom domain. */
export function linkedSlug({ slug }: StatusPage, response: Response): string | null {
  return ownHostOf(response) === null ? slug : null;
}

/** The requested URL of the page, and the base of its entry ids, which is the same for every host. */
export function linksOf({ publicUrl }: Dependencies, { slug }: StatusPage, response: Response) {
  const { protocol, origin } = new URL(publicUrl);
  const host = ownHostOf(response);
  const id = `${origin}/status/${slug}`;
  return { id, url: host === null ? id : `${protocol}//${host}` };
}

/** For programs, which can't enter a password: a locked page counts as missing. */
export function shownPage(visited: Visit): StatusPage | null {
  return visited.type === 'shown' ? visited.page : null;
}

export interface Sent {
  readonly page: StatusPage;
  readonly text: string;
}

export function sendShown(request: Request, response: Response, { page, text }: Sent): void {
  if (!isForEveryone(page)) {
    response.set({ 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex' }).send(text);
    return;
  }
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 27)}"`;
  response.set({ 'Cache-Control': CACHE, ETag: etag });
  if (isAlreadyHeld(request.headers['if-none-match'], etag)) response.status(304).end();
  else response.send(text);
}

function createReaders(services: Dependencies): Pick<Site, 'read' | 'readMonth' | 'readLedger'> {
  const findLedger = findLedgerOf(services);
  const keepStatus = createKept<PublicStatus>(services);
  const keepLedger = createKept<LedgerResponse>(services);
  const keepMonth = createKept<PublicMonth | null>(services);
  const keyOf = ({ id, version }: StatusPage) => `${id} ${version}`;
  return {
    readLedger: async ({ accountId, showLedger }) =>
      showLedger ? keepLedger(accountId, () => findLedger(accountId, {})) : null,
    read: (page) => keepStatus(keyOf(page), () => readPublicStatus(services, page)),
    readMonth: (page, startMs) =>
      keepMonth(`${keyOf(page)} ${startMs}`, () => readPublicMonth(services, page, startMs)),
  };
}

/** Many simultaneous visitors cost one read; while the database is unavailable, they see the last one. */
function createKept<Value>({ clock }: Pick<Dependencies, 'clock'>) {
  const lastGood = keepLastGood<Value>();
  const kept = new Map<string, { readonly untilMs: number; readonly value: Promise<Value> }>();
  return (key: string, read: () => Promise<Value>): Promise<Value> => {
    const nowMs = clock.now();
    const known = kept.get(key);
    if (known !== undefined && known.untilMs > nowMs) return known.value;
    const fresh = { untilMs: nowMs + KEPT_FOR_MS, value: lastGood(key, read) };
    kept.delete(key);
    kept.set(key, fresh);
    const [oldest] = kept.keys();
    if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
    fresh.value.catch(() => {
      if (kept.get(key) === fresh) kept.delete(key);
    });
    return fresh.value;
  };
}

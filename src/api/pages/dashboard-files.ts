/**
 * Serves the dashboard's files. Files with a hash in their name are cached forever; the page itself is never cached.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import express, { type RequestHandler, type Response, Router } from 'express';

/** The build's placeholder for the nonce of a page. */
const NONCE_MARK = /__NONCE__/g;
const NONCE_BYTES = 16;
const PAGES =
  /^\/(?:$|(?:checks|monitors|scenarios|incidents|alerting|maintenance|regions|status-pages|settings|wallboard|operator)(?:\/[\w.~:%-]*)*$)/;
/** The path of a file, without folders. */
const NAME = /^\/[\w.-]+$/;
/** Files next to the page: icons, and the files of the installable app. */
const PUBLIC = [
  'icon-ok.svg',
  'icon-down.svg',
  'icon-192.png',
  'icon-512.png',
  'app.webmanifest',
] as const;

function policyFor(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    // Allows styles that libraries create at run time and that carry the nonce.
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Paths that only programs request. Unknown paths get a problem document, never the app's page. */
const NO_PAGES = /^\/(?:v1|internal|assets)(?:\/|$)/;

export interface DashboardFiles {
  readonly files: Router;
  /** Must be mounted last. For unknown URLs, browsers get the app's page with status 404. */
  readonly notFound: RequestHandler;
}

/** Creates the routes for the built dashboard in `folder`. Returns null if the folder contains no dashboard. */
export function createDashboardFiles(folder: string): DashboardFiles | null {
  const pageFile = path.join(folder, 'index.html');
  if (!existsSync(pageFile)) return null;
  const readPage = createPageReader(pageFile);
  const router = Router({ caseSensitive: true, strict: true });
  const assets = path.join(folder, 'assets');
  router.use(
    '/assets',
    preferCompressed(assets),
    express.static(assets, { immutable: true, maxAge: '365d', index: false }),
  );
  for (const name of PUBLIC)
    router.get(`/${name}`, (_request, response) => {
      response.sendFile(path.join(folder, name), { maxAge: '1h' });
    });
  const sendPage: RequestHandler = (_request, response) => sendPageTo(response, readPage());
  router.get(PAGES, sendPage);
  const notFound: RequestHandler = (request, response, next) => {
    const isBrowser = request.method === 'GET' && request.accepts(['json', 'html']) === 'html';
    if (!isBrowser || NO_PAGES.test(request.path)) return next();
    response.status(404);
    sendPageTo(response, readPage());
  };
  return { files: router, notFound };
}

/**
 * Reads the page again after a build. Otherwise the page would load files that the build has removed. During a build,
 * the last page is used.
 */
function createPageReader(file: string): () => string {
  let last = { mtimeMs: -1, page: '' };
  return () => {
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? last;
    if (mtimeMs !== last.mtimeMs) last = { mtimeMs, page: readFileSync(file, 'utf8') };
    return last.page;
  };
}

/**
 * Serves the files in `folder` that the build has compressed. They are smaller than files that are compressed during a
 * request.
 */
function preferCompressed(folder: string): RequestHandler {
  return (request, response, next) => {
    const compressed = `${request.path}.br`;
    if (!NAME.test(compressed) || !existsSync(path.join(folder, compressed))) return next();
    response.vary('Accept-Encoding');
    if (request.acceptsEncodings('br') === 'br') {
      response.type(path.extname(request.path)).set('Content-Encoding', 'br');
      request.url = compressed;
    }
    next();
  };
}

function sendPageTo(response: Response, page: string): void {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  response.set('Content-Security-Policy', policyFor(nonce));
  response.set('Cache-Control', 'no-store');
  response.type('html').send(page.replace(NONCE_MARK, nonce));
}

/**
 * Serves the documents of docs/ under `/docs/`, and `/llms.txt`. Browsers get pages, and programs get Markdown. The files
 * are read and rendered at the first request.
 */
import path from 'node:path';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { isNotModified } from '../routing/preconditions';
import { type Library, openLibrary } from './documents/library';
import type { ServedText } from './documents/read-documents';
import { type FrameOptions, PAGE_POLICY } from './reference/frame';

const TEXT_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Creates the routes. `root` is the folder that contains docs/ and llms.txt. */
export function createDocsFiles(
  options: FrameOptions,
  root = path.join(__dirname, '..', '..', '..'),
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  let opened: Library | null = null;
  const open = (): Library => {
    opened ??= openLibrary(root, options);
    return opened;
  };
  router.get('/llms.txt', (request, response, next) => {
    const text = open().texts.get('llms.txt');
    if (text === undefined) return next();
    send(request, response, text, TEXT_POLICY);
  });
  router.get('/docs/search.js', (request, response) =>
    send(request, response, open().searchScript(), TEXT_POLICY),
  );
  router.get('/docs/search-index.js', (request, response) =>
    send(request, response, open().searchIndex(), TEXT_POLICY),
  );
  router.get(/^\/docs\/.+$/, (request, response, next) => {
    const library = open();
    const name = request.path.slice(1);
    if (!library.pictures.has(name)) {
      sendDocument(library, name)(request, response, next);
      return;
    }
    response.set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': TEXT_POLICY });
    response.sendFile(name, { root, cacheControl: false });
  });
  return router;
}

/** Sends the document to browsers as a page, and to programs as Markdown. */
function sendDocument(library: Library, name: string): RequestHandler {
  return (request, response, next) => {
    const text = library.texts.get(name);
    // If no documents are installed, the page for missing documents would have nothing to link to.
    if (text === undefined && (!name.endsWith('.md') || library.texts.size === 0)) return next();
    response.vary('Accept');
    const isPage = request.accepts(['text/markdown', 'text/html']) === 'text/html';
    if (text === undefined && !isPage) return next();
    if (text !== undefined && !isPage) return send(request, response, text, TEXT_POLICY);
    const page = library.findPage(name);
    if (page !== null) return send(request, response, page, PAGE_POLICY);
    response.status(404);
    send(request, response, library.missingPage(), PAGE_POLICY);
  };
}

function send(request: Request, response: Response, served: ServedText, policy: string): void {
  const isFound = response.statusCode === 200;
  response.set({
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': policy,
    'Content-Type': served.type,
    ...(isFound && { ETag: served.etag }),
  });
  const isKnown = isFound && isNotModified(request.headers['if-none-match'], served.etag);
  if (isKnown) response.status(304).end();
  else response.send(served.text);
}

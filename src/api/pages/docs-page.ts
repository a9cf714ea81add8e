/** The page `/docs`: the API reference, generated from the OpenAPI document. It loads nothing from other origins. */
import { type RequestHandler, Router } from 'express';
import { readVersion } from '../../platform/version';
import { createOpenApiDocument } from '../openapi/document';
import type { Route } from '../routing/route';
import { DOCUMENT_STYLE } from './documents/style';
import { renderFieldsPage } from './reference/fields-page';
import { PAGE_POLICY } from './reference/frame';
import { renderOperationsPage } from './reference/operations-page';
import { SCRIPT } from './reference/script';
import { renderReferenceStyle } from './reference/style';

interface DocsPageOptions {
  readonly routes: readonly Route[];
  readonly publicUrl: string;
  /** URL of the dashboard's font. null means that this process does not serve it. */
  readonly fontUrl: string | null;
}

export function createDocsPage({ routes, publicUrl, fontUrl }: DocsPageOptions): Router {
  const documentOf = once(() =>
    createOpenApiDocument({ routes, version: readVersion(), publicUrl }),
  );
  const router = Router({ caseSensitive: true, strict: true });
  router.use('/docs', withPolicy);
  const serve = (address: string, type: string, render: () => string): void => {
    const rendered = once(render);
    router.get(address, (_request, response) => {
      response.type(type).send(rendered());
    });
  };
  serve('/docs', 'html', () => renderOperationsPage(documentOf(), { fontUrl }));
  serve('/docs/fields', 'html', () => renderFieldsPage(documentOf(), { fontUrl }));
  serve('/docs/reference.css', 'css', () => renderReferenceStyle(fontUrl) + DOCUMENT_STYLE);
  serve('/docs/reference.js', 'js', () => SCRIPT);
  return router;
}

/** Calls `make` on the first call, and returns its value on every call. */
function once<Made>(make: () => Made): () => Made {
  let kept: { readonly made: Made } | null = null;
  return () => {
    kept ??= { made: make() };
    return kept.made;
  };
}

const withPolicy: RequestHandler = (_request, response, next) => {
  response.set('Content-Security-Policy', PAGE_POLICY);
  response.set('Cache-Control', 'no-cache');
  next();
};

/**
 * The reference page at `/docs`: Swagger UI from our own origin over the OpenAPI document. It
 * loads nothing from elsewhere and runs no inline script.
 */
import path from 'node:path';
import { type RequestHandler, Router } from 'express';

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  // Swagger UI sets style attributes, and its icons are data addresses.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Keepwatch API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<main id="reference"></main>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `window.SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  validatorUrl: null,
});
`;

/** The package's own folder; requiring the package itself would load the whole page. */
const FOLDER = path.dirname(require.resolve('swagger-ui-dist/package.json'));
const FILES = ['swagger-ui.css', 'swagger-ui-bundle.js'] as const;

export function createDocsPage(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use('/docs', withPolicy);
  router.get('/docs', (_request, response) => {
    response.type('html').send(PAGE);
  });
  router.get('/docs/start.js', (_request, response) => {
    response.type('js').send(START);
  });
  for (const file of FILES)
    router.get(`/docs/${file}`, (_request, response) => {
      response.set('Cache-Control', 'public, max-age=3600');
      response.sendFile(path.join(FOLDER, file));
    });
  return router;
}

const withPolicy: RequestHandler = (_request, response, next) => {
  response.set('Content-Security-Policy', POLICY);
  next();
};

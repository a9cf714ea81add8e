/** Tests that a deprecated operation is marked as deprecated in every response, in OpenAPI and in the reference. */
import express from 'express';
import request from 'supertest';
import { z } from 'zod';
import { createOpenApiDocument } from '../../../src/api/openapi/document';
import { renderOperationsPage } from '../../../src/api/pages/reference/operations-page';
import { mountRoutes } from '../../../src/api/routing/mount-routes';
import { publicRoute } from '../../../src/api/routing/route';
import { createErrorHandler } from '../../../src/api/server/error-handler';
import { AppError } from '../../../src/platform/errors';

const PUBLIC_URL = 'https://keepwatch.example';
const PAGE =
  '<https://keepwatch.example/docs/api.md#routes>; rel="deprecation"; type="text/markdown"';
const NEXT = '</v1/old?cursor=b>; rel="next"';
const HEADERS = { deprecation: '@1801353600', sunset: 'Mon, 31 Jan 2028 23:59:59 GMT' };

const deprecated = {
  announcedOn: '2027-01-31',
  sunsetOn: '2028-01-31',
  instead: 'use `GET /v1/new`',
  page: 'docs/api.md#routes',
};
const read = {
  tag: 'Service',
  summary: 'Read things',
  description: 'Returns things.',
  guide: 'docs/api.md',
  query: z.strictObject({ fails: z.literal('yes').optional() }),
  responses: {
    200: {
      description: 'A page',
      schema: z.object({ data: z.array(z.string()), nextCursor: z.string().nullable() }),
    },
  },
  handler: async ({ query }: { readonly query: { readonly fails?: 'yes' | undefined } }) => {
    if (query.fails === 'yes') throw new AppError('not_found', 'Not found.');
    return { status: 200, body: { data: [], nextCursor: 'b' }, headers: { Link: NEXT } } as const;
  },
} as const;
const routes = [
  publicRoute({ ...read, endpoint: 'GET /v1/old', operationId: 'listOld', deprecated }),
  publicRoute({ ...read, endpoint: 'GET /v1/new', operationId: 'listNew' }),
];

const app = express();
app.use(
  mountRoutes(routes, {
    services: {} as never,
    publicUrl: PUBLIC_URL,
    secretKeys: ['a'.repeat(64)],
  }),
);
const silent = { error: () => undefined, warn: () => undefined, info: () => undefined };
app.use(createErrorHandler(silent));

it('every response of a deprecated operation, even a refusal, has Deprecation, Sunset and a link to the page', async () => {
  const page = await request(app).get('/v1/old');
  expect(page.headers).toMatchObject({ ...HEADERS, link: `${PAGE}, ${NEXT}` });
  const refusals = ['/v1/old?fails=yes', '/v1/old?unknown=1'].map((path) => request(app).get(path));
  for (const refusal of await Promise.all(refusals)) {
    expect(refusal.status).toBeGreaterThanOrEqual(400);
    expect(refusal.headers).toMatchObject({ ...HEADERS, link: PAGE });
  }
});

it('operations that are not deprecated have no deprecation headers', async () => {
  const { headers } = await request(app).get('/v1/new');
  expect(headers).toMatchObject({ link: NEXT });
  expect(headers).not.toHaveProperty('deprecation');
  expect(headers).not.toHaveProperty('sunset');
});

const document = createOpenApiDocument({ routes, version: '1.2.3', publicUrl: PUBLIC_URL });

it('OpenAPI marks a deprecated operation, with its dates, its replacement and its headers', () => {
  expect(document.paths?.['/v1/old']?.get).toMatchObject({
    deprecated: true,
    'x-announced': '2027-01-31',
    'x-sunset': '2028-01-31',
    description: expect.stringContaining('works until 2028-01-31: use `GET /v1/new`.'),
    responses: { 200: { headers: { Deprecation: {}, Sunset: {}, Link: {} } } },
  });
  expect(document.paths?.['/v1/new']?.get).not.toHaveProperty('deprecated');
});

it('the reference shows that an operation is deprecated, since when, and until when it works', () => {
  const html = renderOperationsPage(document, { fontUrl: null });
  expect(html.match(/<em>deprecated<\/em>/g)).toHaveLength(1);
  expect(html).toContain('Deprecated since 2027-01-31, works until 2028-01-31');
});

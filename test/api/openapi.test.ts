/** The OpenAPI document is whole: every route is described, and every example is accepted. */

import { ROUTE_DOCS } from '../../src/api/openapi';
import { createOpenApiDocument, endpointOf } from '../../src/api/openapi/document';
import type { Route } from '../../src/api/route';
import { routeTable } from '../../src/api/route-table';
import { validate } from '../../src/schemas/issues';
import { PUBLIC_URL } from './test-service';

const routes = routeTable({ services: {} as never, publicUrl: PUBLIC_URL });
const described = routes.filter((entry) => ROUTE_DOCS[endpointOf(entry)] !== undefined);

test('every route is described', () => {
  const missing = routes.filter((entry) => !described.includes(entry)).map(endpointOf);
  expect(missing).toEqual([]);
});

test('nothing is described that is not mounted', () => {
  const mounted = new Set(routes.map(endpointOf));
  expect(Object.keys(ROUTE_DOCS).filter((endpoint) => !mounted.has(endpoint))).toEqual([]);
});

const withExample = described.filter(
  (entry) => ROUTE_DOCS[endpointOf(entry)]?.example !== undefined,
);

test.each(withExample.map((entry) => [endpointOf(entry), entry] as const))(
  'the example of %s is a body that it accepts',
  (endpoint, entry: Route) => {
    const shape = entry.shapes.body;
    expect(shape).not.toBeNull();
    if (shape === null) return;
    expect(validate(shape, ROUTE_DOCS[endpoint]?.example)).toMatchObject({ ok: true });
  },
);

const document = createOpenApiDocument({ routes: described, docs: ROUTE_DOCS, version: '1.2.3' });
const text = JSON.stringify(document);

test('every reference inside the document leads somewhere', () => {
  const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
  const known = Object.keys(document.components?.schemas ?? {});
  expect([...new Set(names)].filter((name) => !known.includes(name ?? ''))).toEqual([]);
});

test('each operation has a name of its own', () => {
  const ids = [...text.matchAll(/"operationId":"(\w+)"/g)].map(([, id]) => id);
  expect(ids).toHaveLength(described.length);
  expect(new Set(ids).size).toBe(ids.length);
});

test('no example holds anything that opens a door', () => {
  const text = JSON.stringify(document);
  expect(text).not.toMatch(/\bkw_[0-9A-Za-z]{38}\b/);
  expect(text).not.toMatch(/hooks\.slack\.com\/services\/T\w+\/B\w+\/\w{16,}/);
  expect(text).not.toMatch(/[0-9a-f]{64}/);
});

test('answers are open for new fields, bodies are not', () => {
  const { Monitor } = document.components?.schemas ?? {};
  expect(JSON.stringify(Monitor)).not.toContain('additionalProperties":false');
  expect(JSON.stringify(document.paths?.['/v1/monitors']?.post?.requestBody)).toContain(
    'additionalProperties":false',
  );
});

test('each refusal is a problem document', () => {
  const answers = Object.values(document.paths ?? {}).flatMap((path) =>
    Object.values(path).flatMap((operation) => Object.entries(operation.responses ?? {})),
  );
  const refusals = answers.filter(([status]) => Number(status) >= 400);
  expect(refusals.length).toBeGreaterThan(100);
  for (const [, refusal] of refusals)
    expect(JSON.stringify(refusal)).toContain('application/problem+json');
});

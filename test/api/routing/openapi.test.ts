/** Tests that the OpenAPI document is complete. Every route is described, and every example is valid. */

import SwaggerParser from '@apidevtools/swagger-parser';
import { formatEndpoint } from '../../../src/api/openapi/document';
import type { Route } from '../../../src/api/routing/route';
import { ROUTES } from '../../../src/api/v1/route-table';
import { validate } from '../../../src/schemas/issues';
import { DOCUMENTED_URL, document } from '../whole-document';

const routes = ROUTES;
const withExample = routes.filter(({ doc }) => doc.example !== undefined);

test.each(withExample.map((entry) => [formatEndpoint(entry), entry] as const))(
  'the example of %s is a valid body',
  (_endpoint, { shapes, doc }: Route) => {
    const { body } = shapes;
    expect(body).not.toBeNull();
    if (body === null) return;
    expect(validate(body, doc.example)).toMatchObject({ ok: true });
  },
);

const text = JSON.stringify(document);
const schemas: Readonly<Record<string, object>> = document.components?.schemas ?? {};
type Verb = 'get' | 'post' | 'put' | 'patch';

function operationOf(path: string, verb: Verb) {
  const operation = document.paths?.[path]?.[verb];
  if (operation === undefined) throw new Error(`${verb} ${path} is not described`);
  return operation;
}

function bodyOf(path: string, verb: Verb): unknown {
  const { requestBody } = operationOf(path, verb);
  if (requestBody === undefined || '$ref' in requestBody) throw new Error(`no body at ${path}`);
  return Object.values(requestBody.content)[0]?.schema;
}

test('the OpenAPI document is valid OpenAPI 3.1, and all its references resolve', async () => {
  const parsed: unknown = await SwaggerParser.validate(JSON.parse(text));
  expect(parsed).toMatchObject({ openapi: '3.1.0', servers: [{ url: DOCUMENTED_URL }] });
});

test('the OpenAPI document stays below its size limit', () => {
  expect(text.length).toBeLessThan(1_200_000);
});

test('no schema of the OpenAPI document refers to itself, and each has an explicit name', () => {
  expect(Object.keys(schemas).filter((name) => name.startsWith('__'))).toEqual([]);
  const selfish = Object.entries(schemas).filter(([name, schema]) =>
    JSON.stringify(schema).includes(`"#/components/schemas/${name}"`),
  );
  expect(selfish).toEqual([]);
});

test.each([
  ['/v1/monitors', 'limit', { type: 'integer', minimum: 1, maximum: 500, default: 100 }],
  ['/v1/scenarios/{scenarioId}/results', 'limit', { type: 'integer', maximum: 200, default: 50 }],
  ['/v1/scenarios/{scenarioId}/results/{runId}', 'wait', { type: 'integer', minimum: 0 }],
])('%s documents its parameter %s as a number with limits', (path, name, schema) => {
  expect(operationOf(path, 'get').parameters).toContainEqual(
    expect.objectContaining({ in: 'query', name, schema: expect.objectContaining(schema) }),
  );
});

test('every id parameter of a path names its kind of resource', () => {
  const { parameters = {} } = document.components ?? {};
  expect(parameters).toMatchObject({
    MonitorId: { in: 'path', required: true, schema: { pattern: '^mon_[0-9a-z]{26}$' } },
    RunId: { schema: { pattern: '^run_[0-9a-z]{26}$' } },
  });
});

test.each([
  ['/v1/scenarios/{scenarioId}', 'ScenarioPatch', 'ScenarioBody'],
  ['/v1/status-pages/{pageId}', 'StatusPagePatch', 'StatusPageBody'],
  ['/v1/saved-views/{viewId}', 'SavedViewPatch', 'SavedViewBody'],
])('PATCH %s names every field of the body, none of them required', (path, patch, body) => {
  expect(bodyOf(path, 'patch')).toEqual({ $ref: `#/components/schemas/${patch}` });
  const [changed, whole] = [schemas[patch], schemas[body]];
  expect(changed).not.toHaveProperty('required');
  expect(fieldsOf(changed)).toEqual(fieldsOf(whole));
  expect(JSON.stringify(changed)).not.toContain('"default":');
});

const MONITOR_BODIES = [
  'HttpMonitorBody',
  'HeartbeatMonitorBody',
  'TcpMonitorBody',
  'TlsMonitorBody',
  'DnsMonitorBody',
  'PingMonitorBody',
  'WebSocketMonitorBody',
  'GrpcMonitorBody',
  'DomainMonitorBody',
];

test('PATCH of a monitor names the fields of all types', () => {
  const all = MONITOR_BODIES.flatMap((name) => fieldsOf(schemas[name]));
  expect([...fieldsOf(schemas['MonitorPatch'])].sort()).toEqual([...new Set(all)].sort());
  expect(schemas['MonitorPatch']).not.toHaveProperty('required');
});

function fieldsOf(schema: object | undefined): readonly string[] {
  if (schema === undefined || !('properties' in schema)) return [];
  return Object.keys(schema.properties ?? {});
}

test('schemas of bodies give defaults in words, because generators make fields with a schema default required', () => {
  // Ignores the field `default` of an extraction.
  const withDefault = JSON.stringify(schemas)
    .replaceAll(/"default":\{(?:\}|"description":"Value to use)/g, '')
    .match(/"default":/);
  expect(withDefault).toBeNull();
  expect(schemas['HttpMonitorBody']).not.toHaveProperty('properties.alerts.default');
  expect(schemas['HttpMonitorBody']).toMatchObject({
    required: ['type', 'name', 'url'],
    properties: { interval: { description: 'Seconds between two checks. Default: 60' } },
  });
});

test('documented responses list their headers, such as ETag, Location and Link', () => {
  const headersOf = (path: string, verb: Verb, status: string) =>
    Object.keys(operationOf(path, verb).responses?.[status]?.headers ?? {});
  expect(headersOf('/v1/monitors', 'post', '201')).toEqual(
    expect.arrayContaining(['ETag', 'Location', 'Idempotency-Replayed', 'RateLimit']),
  );
  expect(headersOf('/v1/monitors', 'get', '200')).toContain('Link');
  expect(headersOf('/v1/monitors/{monitorId}', 'get', '304')).toContain('ETag');
  expect(headersOf('/v1/scenarios/{scenarioId}/run', 'post', '202')).toContain('Location');
});

test('every reference inside the OpenAPI document resolves', () => {
  const names = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name);
  const known = Object.keys(document.components?.schemas ?? {});
  expect([...new Set(names)].filter((name) => !known.includes(name ?? ''))).toEqual([]);
});

test('each operation has a unique name: a verb and its object', () => {
  // Leaves out links, because they repeat the names of operations.
  const own = JSON.stringify(document, (key, value) => (key === 'links' ? undefined : value));
  const ids = [...own.matchAll(/"operationId":"([^"]+)"/g)].map(([, id = '']) => id);
  expect(ids).toHaveLength(routes.length);
  expect(new Set(ids).size).toBe(ids.length);
  const VERBS =
    'accept|acknowledge|add|apply|bulk|cancel|change|check|confirm|connect|create|delete|disconnect|end|explain|export|finish|get|leave|list|log|pause|preview|prove|publish|put|remove|rename|renew|replace|request|reset|resume|revoke|rotate|run|set|sign|simulate|snooze|start|stream|switch|test|undo|unacknowledge|update|withdraw';
  expect(ids.filter((id) => !new RegExp(`^(?:${VERBS})(?:[A-Z][a-z]+)+$`).test(id))).toEqual([]);
});

test.each([
  ['/v1/monitors', 'get', 'listMonitors'],
  ['/v1/monitors', 'post', 'createMonitor'],
  ['/v1/monitors/{monitorId}', 'get', 'getMonitor'],
  ['/v1/monitors/{monitorId}', 'put', 'replaceMonitor'],
  ['/v1/monitors/{monitorId}', 'patch', 'updateMonitor'],
  ['/v1/monitors/{monitorId}', 'delete', 'deleteMonitor'],
  ['/v1/scenarios/{scenarioId}/run', 'post', 'runScenario'],
  ['/v1/status-pages/{pageId}', 'get', 'getStatusPage'],
  ['/v1/audit-events', 'get', 'listAuditEvents'],
] as const)('the operation id of %s %s is %s', (path, method, name) => {
  expect(document.paths?.[path]?.[method]?.operationId).toBe(name);
});

test('no example contains anything that looks like a credential', () => {
  const text = JSON.stringify(document);
  expect(text).not.toMatch(/\bkw_[0-9A-Za-z]{38}\b/);
  expect(text).not.toMatch(/hooks\.slack\.com\/services\/T\w+\/B\w+\/\w{16,}/);
  expect(text).not.toMatch(/[0-9a-f]{64}/);
});

test('schemas of responses allow additional fields, schemas of bodies do not', () => {
  expect(JSON.stringify(schemas['Monitor'])).not.toContain('additionalProperties":false');
  expect(bodyOf('/v1/monitors', 'post')).toMatchObject({
    $ref: '#/components/schemas/MonitorBody',
  });
  for (const name of MONITOR_BODIES)
    expect(schemas[name]).toMatchObject({ additionalProperties: false });
});

test('each refusal is documented as a problem', () => {
  const answers = Object.values(document.paths ?? {}).flatMap((path) =>
    Object.values(path).flatMap((operation) => Object.entries(operation.responses ?? {})),
  );
  const refusals = answers.filter(([status]) => Number(status) >= 400);
  expect(refusals.length).toBeGreaterThan(100);
  const { responses = {} } = document.components ?? {};
  for (const [, refusal] of refusals) {
    const [, name = ''] = /responses\/(\w+)/.exec(JSON.stringify(refusal)) ?? [];
    expect(responses[name]).toMatchObject({
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    });
  }
});

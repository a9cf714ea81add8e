/**
 * Tests what client generators need from the document: names, literals that generators can read, and which fields may
 * be absent.
 */
import { NETWORK_KINDS } from '../../../src/contracts/kinds';
import { document, shownDocument } from '../whole-document';

interface Met {
  readonly path: string;
  readonly node: Readonly<Record<string, unknown>>;
}

function isJson(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function* nodesIn(value: unknown, path = ''): Generator<Met> {
  if (Array.isArray(value))
    for (const [index, item] of value.entries()) yield* nodesIn(item, `${path}/${index}`);
  if (!isJson(value)) return;
  yield { path, node: value };
  for (const [name, part] of Object.entries(value)) yield* nodesIn(part, `${path}/${name}`);
}

const nodes = [...nodesIn(JSON.parse(JSON.stringify(document)))];
const pathsOf = (found: readonly Met[]) => found.map(({ path }) => path);
const schemas: Readonly<Record<string, unknown>> = document.components?.schemas ?? {};

function listAt(node: Met['node'], name: string): readonly unknown[] {
  const value = node[name];
  return Array.isArray(value) ? value : [];
}

function nameOf(node: unknown): string {
  const reference = isJson(node) ? node['$ref'] : undefined;
  return typeof reference === 'string' ? reference.replace('#/components/schemas/', '') : '';
}

test('every literal of the OpenAPI document is an enum, since few generators read `const` in a union', () => {
  expect(pathsOf(nodes.filter(({ node }) => 'const' in node && !isJson(node['const'])))).toEqual(
    [],
  );
});

test('every branch of a union of objects has a name in the OpenAPI document', () => {
  const bare = nodes.filter(({ node }) => {
    const branches = [...listAt(node, 'oneOf'), ...listAt(node, 'anyOf')];
    return branches.filter((each) => isJson(each) && 'properties' in each).length > 1;
  });
  expect(pathsOf(bare)).toEqual([]);
});

test.each([
  ['AlertChannelBody', 15],
  ['Assertion', 10],
  ['SavedAssertion', 10],
  ['Monitor', 2 + NETWORK_KINDS.length],
  ['MonitorBody', 2 + NETWORK_KINDS.length],
  ['ListedMonitor', 2 + NETWORK_KINDS.length],
])('in the union %s, the field `type` distinguishes all %i branches', (name, count) => {
  const union = schemas[name];
  expect(union).toMatchObject({ discriminator: { propertyName: 'type' } });
  if (!isJson(union) || !isJson(union['discriminator'])) throw new Error('no union');
  const branches = listAt(union, 'oneOf').map(nameOf);
  expect(branches).toHaveLength(count);
  const { mapping } = union['discriminator'];
  const mapped = Object.entries(isJson(mapping) ? mapping : {});
  expect(mapped.map(([, reference]) => nameOf({ $ref: reference }))).toEqual(branches);
  for (const [type, reference] of mapped)
    expect(schemas[nameOf({ $ref: reference })]).toMatchObject({
      required: expect.arrayContaining(['type']),
      properties: { type: { enum: [type] } },
    });
});

test('every body has a name in the OpenAPI document, the same for each media type', () => {
  const bodies = nodes.filter(({ path }) => path.endsWith('/requestBody/content'));
  expect(bodies.length).toBeGreaterThan(40);
  for (const { path, node } of bodies) {
    const names = new Set(
      Object.values(node).map((media) => isJson(media) && nameOf(media['schema'])),
    );
    expect([path, [...names]]).toEqual([path, [expect.stringMatching(/^[A-Z]\w+$/)]]);
  }
});

test('every request body documents its size limit', () => {
  const bodies = nodes.filter(({ path }) => path.endsWith('/requestBody'));
  for (const { path, node } of bodies)
    expect([path, node['description']]).toEqual([
      path,
      expect.stringMatching(/^At most \d+ [KM]iB;/),
    ]);
  expect(document.paths?.['/v1/apply']?.post?.requestBody).toMatchObject({
    description: 'At most 4 MiB; larger ones: 413',
  });
});

test.each(['RateLimit', 'RateLimitPolicy', 'Link', 'IdempotencyReplayed'])(
  'the header %s is optional in the OpenAPI document, because some responses do not have it',
  (name) => {
    const header = document.components?.headers?.[name];
    expect(header).toBeDefined();
    expect(header).not.toMatchObject({ required: true });
  },
);

test.each(['XRequestId', 'ETag', 'Location', 'RetryAfter'])(
  'the header %s is marked as required in the OpenAPI document',
  (name) => {
    expect(document.components?.headers?.[name]).toMatchObject({ required: true });
  },
);

test.each(['monitors', 'scenarios'])(
  'exports of %s are described as JSON lines and as CSV',
  (kind) => {
    const id = kind === 'monitors' ? 'monitorId' : 'scenarioId';
    const { responses } = document.paths?.[`/v1/${kind}/{${id}}/results/export`]?.get ?? {};
    expect(Object.keys(responses?.['200']?.content ?? {})).toEqual([
      'application/x-ndjson',
      'text/csv',
    ]);
  },
);

test('in the OpenAPI document, a POST that creates a resource links to the other operations on the resource', () => {
  const { responses } = document.paths?.['/v1/scenarios']?.post ?? {};
  const parameters = { scenarioId: '$response.body#/id' };
  expect(responses?.['201']?.links).toEqual(
    Object.fromEntries(
      ['getScenario', 'replaceScenario', 'updateScenario', 'deleteScenario', 'runScenario'].map(
        (operationId) => [operationId, { operationId, parameters }],
      ),
    ),
  );
  const linked = nodes.filter(({ node }) => 'links' in node);
  expect(linked.length).toBeGreaterThanOrEqual(8);
});

test('no field of the OpenAPI document has only the type null, since openapi-generator rejects that', () => {
  const alone = nodes.filter(
    ({ path, node }) => node['type'] === 'null' && !/\/(anyOf|oneOf)\/\d+$/.test(path),
  );
  expect(pathsOf(alone)).toEqual([]);
});

test('no union of the OpenAPI document is nested directly in another union', () => {
  const nested = nodes.filter(({ node }) =>
    listAt(node, 'anyOf').some((each) => isJson(each) && 'anyOf' in each),
  );
  expect(pathsOf(nested)).toEqual([]);
});

test('the OpenAPI document with named schemas equals the original once every reference is resolved', () => {
  const named = inlined(document.paths, schemas);
  const bare = inlined(shownDocument.paths, shownDocument.components?.schemas ?? {});
  expect(named).toBe(bare);
});

/**
 * The document without references, discriminators and descriptions, and with one spelling of
 * literals and unions.
 */
function inlined(value: unknown, components: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(normal(value, components));
}

function normal(value: unknown, components: Readonly<Record<string, unknown>>): unknown {
  if (Array.isArray(value)) return value.map((each) => normal(each, components));
  if (!isJson(value)) return value;
  const target = components[nameOf(value)];
  const entries = Object.entries(isJson(target) ? target : value).flatMap(([name, part]) => {
    if (name === 'discriminator' || (name === 'description' && typeof part === 'string')) return [];
    if (name === 'const' && !isJson(part)) return [['enum', [part]] as const];
    return [
      [name, name === 'anyOf' ? branchesOf(part, components) : normal(part, components)] as const,
    ];
  });
  return Object.fromEntries(entries);
}

function branchesOf(union: unknown, components: Readonly<Record<string, unknown>>): unknown {
  const branches: readonly unknown[] = Array.isArray(union) ? union : [];
  const texts = branches.flatMap((branch): readonly string[] => {
    const plain = normal(branch, components);
    const inner = isJson(plain) ? listAt(plain, 'anyOf') : [];
    return (inner.length === 0 ? [plain] : inner).map((each) => JSON.stringify(each));
  });
  return [...new Set(texts)].map((text): unknown => JSON.parse(text));
}

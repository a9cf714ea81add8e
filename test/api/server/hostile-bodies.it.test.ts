/** Whatever a body holds, the answer is the resource or a 4xx problem: never a 5xx. */
import fc from 'fast-check';
import request from 'supertest';
import { anyCharacter } from '../../support/any-character';
import { propertyOptions } from '../../support/property-runs';
import { accountOfSuite, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfSuite(service);
let monitorId: string;
let scenarioId: string;

const STEP = {
  name: 'log in',
  method: 'POST',
  url: 'https://shop.example.com/login?next=%2F',
  headers: { Accept: 'application/json' },
  body: { user: '{{user}}', deep: [{ a: 1 }] },
  extract: { token: '$.token', id: { from: 'header', name: 'x-id', default: null } },
  assertions: [
    { type: 'status', operator: 'in', value: [200, '2xx'] },
    { type: 'jsonPath', path: '$.a[0].b', match: 'any', operator: 'matches', value: '^a+$' },
    { type: 'tls', name: 'daysUntilExpiry', operator: 'greaterThan', value: 7 },
  ],
  timeoutMs: 5000,
  retries: 1,
  always: true,
};
const { extract: _extract, always: _always, ...FIELDS } = STEP;
const MONITOR = {
  ...FIELDS,
  interval: 60,
  regions: ['eu-west'],
  group: 'a/b',
  variables: { user: 'demo' },
  quorum: 'majority',
  tags: ['x'],
  key: null,
  enabled: true,
};
const SCENARIO = {
  name: 'Journey',
  steps: [STEP],
  interval: 300,
  regions: ['eu-west'],
  variables: { user: 'demo' },
  timeoutSeconds: 60,
  onFailure: 'stop',
};
const RUN = {
  variables: { size: 3 },
  regions: ['eu-west'],
  label: 'x',
  source: { provider: 'ci', url: 'https://ci.example/1', commit: 'abc' },
  notify: false,
  countInUptime: true,
};
const PAUSE = { until: '2100-01-01T00:00:00Z', reason: 'x' };

beforeAll(async () => {
  const as = request.agent(service.app).set('Authorization', `Bearer ${account.key}`);
  const monitor = await as.post('/v1/monitors').send(MONITOR);
  const scenario = await as.post('/v1/scenarios').send(SCENARIO);
  expect([monitor.status, scenario.status]).toEqual([201, 201]);
  monitorId = monitor.body.id;
  scenarioId = scenario.body.id;
});

const NASTY = [
  '\u0000',
  '\ud800',
  '{{',
  '{{x}}',
  '{{secret:x}}',
  '$ne',
  '$.a.b',
  'a.b',
  '__proto__',
  'constructor',
  '(a+)+$',
  'http://[::1',
  'http://\u0000',
  'http://%zz/',
  '1e999',
  ' ',
  'x'.repeat(5000),
];
const nastyText = fc.oneof(
  fc.constantFrom(...NASTY),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
);
const nastyValue: fc.Arbitrary<unknown> = fc.oneof(
  nastyText,
  fc.constantFrom(null, true, -1, 0, 1.5, 1e308, -0, [], {}, [[]], [null]),
  fc.integer(),
  fc.double(),
  fc.array(nastyText, { maxLength: 5 }),
  fc.dictionary(nastyText, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
  fc.jsonValue({ maxDepth: 4 }),
);

type Path = readonly (string | number)[];

function pathsOf(value: unknown, at: Path = []): readonly Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([name, child]) => pathsOf(child, [...at, name]))];
}

/** A copy in which what stands at the path is something else. */
function replaceAt(value: unknown, [first, ...rest]: Path, replacement: unknown): unknown {
  if (first === undefined) return replacement;
  if (Array.isArray(value)) {
    return value.map((item: unknown, index) =>
      index === Number(first) ? replaceAt(item, rest, replacement) : item,
    );
  }
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return Object.fromEntries(
    entries.map(([name, child]) =>
      name === first ? [name, replaceAt(child, rest, replacement)] : [name, child],
    ),
  );
}

it.each([
  ['a new monitor', 'post', (): string => '/v1/monitors', MONITOR],
  ['a replaced monitor', 'put', (): string => `/v1/monitors/${monitorId}`, MONITOR],
  ['a patched monitor', 'patch', (): string => `/v1/monitors/${monitorId}`, MONITOR],
  ['a new scenario', 'post', (): string => '/v1/scenarios', SCENARIO],
  ['a replaced scenario', 'put', (): string => `/v1/scenarios/${scenarioId}`, SCENARIO],
  ['a run', 'post', (): string => `/v1/scenarios/${scenarioId}/run`, RUN],
  ['a pause', 'post', (): string => `/v1/monitors/${monitorId}/pause`, PAUSE],
] as const)('answers hostile bodies of %s', async (_name, method, path, valid) => {
  const mutation = fc.tuple(fc.constantFrom(...pathsOf(valid)), nastyValue);
  await fc.assert(
    fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 3 }), async (mutations) => {
      const body = mutations.reduce<unknown>(
        (mutated, [at, replacement]) => replaceAt(mutated, at, replacement),
        valid,
      );
      const answer = await request(service.app)
        [method](path())
        .set({ Authorization: `Bearer ${account.key}`, 'Content-Type': 'application/json' })
        .send(JSON.stringify(body));
      if (answer.status >= 500) throw new Error(`${answer.status} for ${JSON.stringify(body)}`);
      if (answer.status >= 400) expect(answer.body.code).toEqual(expect.any(String));
    }),
    propertyOptions(15),
  );
});

it('can still show all that was accepted', async () => {
  for (const list of ['monitors', 'scenarios', `scenarios/${scenarioId}/results`]) {
    let url: string | undefined = `/v1/${list}`;
    while (url !== undefined) {
      const answer: request.Response = await request(service.app)
        .get(url)
        .set('Authorization', `Bearer ${account.key}`);
      expect(answer.status).toBe(200);
      url = answer.headers['link']?.slice(1).split('>')[0];
    }
  }
});

/**
 * Tests that every GET response of a monitor can be sent back by PUT, and that no PATCH gets past a limit.
 *
 * Covers:
 * - services/resources/service-fields
 */
import fc from 'fast-check';
import { hasInexactInteger } from '../../../src/schemas/loose';
import { propertyOptions } from '../../support/property-runs';
import { accountOfSuite, agentOf, suiteService } from '../test-service';

const service = suiteService();
const account = accountOfSuite(service);
const as = agentOf(service, account);

const text = (maxLength: number) =>
  fc.string({ unit: 'grapheme', minLength: 1, maxLength }).filter((it) => it.trim() !== '');
/**
 * Generates single-line texts for names, groups and tags. They must not contain line breaks. A test below checks this
 * rule.
 */
const line = (maxLength: number) =>
  text(maxLength).filter((it) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(it));
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const json = fc
  .jsonValue({ maxDepth: 4 })
  .filter((it) => !/{{|__proto__/.test(JSON.stringify(it)) && !hasInexactInteger(it));
const regions = fc.constantFrom(['eu-west'], ['us-east', 'eu-west'], ['eu-west', 'eu-west']);

const assertion = fc.oneof(
  fc.record({
    type: fc.constant('status'),
    operator: fc.constantFrom('equals', 'notEquals'),
    value: fc.oneof(fc.integer({ min: 100, max: 599 }), fc.constant('2xx')),
  }),
  fc.record({
    type: fc.constant('jsonPath'),
    path: fc.constantFrom('$.a', '$.items[*].id', "$['b c']"),
    operator: fc.constant('equals'),
    match: fc.constantFrom('first', 'every', 'any'),
    value: json,
    severity: fc.constantFrom('fail', 'degraded'),
  }),
  fc.record({
    type: fc.constant('header'),
    name: word,
    operator: fc.constant('exists'),
  }),
);

/** Any set of optional fields, each within its limits. */
const optional = fc.record(
  {
    headers: fc.dictionary(word, word, { maxKeys: 5 }),
    auth: fc.constantFrom(
      null,
      { type: 'basic', user: 'ada', password: '{{secret:password}}' },
      { type: 'bearer', token: '{{ secret:token }}' },
      {
        type: 'oauth2',
        grant: 'password',
        tokenUrl: 'https://idp.example.com/token',
        clientId: 'shop',
        clientSecret: '{{secret:client}}',
        user: 'ada',
        password: '{{secret:password}}',
        sendAs: 'body',
        extra: { resource: 'urn:shop' },
      },
      {
        type: 'sigv4',
        accessKeyId: '{{secret:aws-id}}',
        secretAccessKey: '{{secret:aws-key}}',
        region: 'eu-central-1',
        service: 's3',
      },
      { type: 'none' },
    ),
    tls: fc.constantFrom(
      { trust: 'system' },
      { trust: 'unchecked', warnDays: [] },
      { trust: { pin: ['ab'.repeat(32)] }, checkHost: false },
      { trust: { ca: '{{secret:ca}}' }, certificate: '{{secret:tls}}', key: '{{secret:tls}}' },
      { serverName: 'Inner.example', warnDays: [30, 7] },
    ),
    assertions: fc.array(assertion, { maxLength: 5 }),
    expectedStatus: fc.constantFrom(204, '3xx'),
    expectedText: text(20),
    group: fc.oneof(
      fc.constant(null),
      fc.constantFrom('', 'a/b', '/a//b/', ' Shop '),
      line(30).filter((it) => /[^\s/]/.test(it)),
    ),
    variables: fc.dictionary(word, fc.string({ maxLength: 20 }), { maxKeys: 5 }),
    timeoutMs: fc.integer({ min: 500, max: 10_000 }),
    interval: fc.integer({ min: 10, max: 604_800 }),
    retries: fc.integer({ min: 0, max: 5 }),
    followRedirects: fc.boolean(),
    maxRedirects: fc.integer({ min: 0, max: 10 }),
    sendTraceparent: fc.boolean(),
    degradedAboveMs: fc.option(fc.integer({ min: 1, max: 60_000 })),
    failuresBeforeDown: fc.integer({ min: 1, max: 10 }),
    successesBeforeUp: fc.integer({ min: 1, max: 10 }),
    quorum: fc.constantFrom(1, 'majority'),
    regions,
    tags: fc.array(line(10), { maxLength: 5 }),
    enabled: fc.boolean(),
  },
  { requiredKeys: [] },
);

const sending = fc.oneof(
  fc.record({ method: fc.constantFrom('GET', 'head', 'OPTIONS') }),
  fc.record({ method: fc.constantFrom('POST', 'put', 'PATCH', 'DELETE'), body: json }),
  fc.record({ method: fc.constant('POST'), form: fc.dictionary(word, word, { maxKeys: 4 }) }),
  fc.record({
    method: fc.constant('PUT'),
    multipart: fc.array(fc.record({ name: word, value: word }), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({
    method: fc.constant('POST'),
    graphql: fc.record({ query: word, variables: fc.dictionary(word, json, { maxKeys: 2 }) }),
  }),
);

const monitor = fc
  .tuple(
    fc.record({ name: line(40), url: fc.webUrl({ withQueryParameters: true }) }),
    optional,
    sending,
  )
  .map(([required, rest, how]) => ({ ...required, ...rest, ...how, timeoutMs: 5_000 }))
  .filter(({ url }) => !url.includes('{{'));

it('PUT of a GET response and an empty PATCH change nothing', async () => {
  await fc.assert(
    fc.asyncProperty(monitor, async (body) => {
      const created = await as().post('/v1/monitors').send(body);
      expect(created.body).not.toHaveProperty('code');
      const path = `/v1/monitors/${created.body.id}`;
      const before = await as().get(path);
      const put = await as().put(path).send(before.body);
      const patched = await as().patch(path).send({});
      expect(put.body).toEqual(before.body);
      expect(patched.body).toEqual(before.body);
      expect(put.headers['etag']).toMatch(/^"1\./);
      expect(service.gateway.callsOf(created.body.id)).toEqual(['configureMonitor']);
      const again = await as()
        .post('/v1/monitors/test')
        .send({ ...body, region: 'eu-west' });
      expect(again.status).toBe(200);
    }),
    propertyOptions(10),
  );
});

it.each([
  [{ interval: 9 }, 'interval'],
  [{ interval: 604_801 }, 'interval'],
  [{ timeoutMs: 30_001 }, 'timeoutMs'],
  [{ interval: 10, timeoutMs: 10_001 }, 'timeoutMs'],
  [{ retries: 6 }, 'retries'],
  [{ quorum: 3 }, 'quorum'],
  [{ regions: ['eu-west'], quorum: 2 }, 'quorum'],
  [{ regions: [] }, 'regions'],
  [{ method: 'GET', body: { a: 1 } }, 'body'],
  [{ url: 'ftp://example.com/' }, 'url'],
  [{ url: 'http://a:b@example.com/' }, 'url'],
  [{ headers: { 'content-length': '1' } }, 'headers.content-length'],
  [{ headers: { 'x-a': 'b\r\nc' } }, 'headers.x-a'],
  [{ variables: { 'no-name': 'x' } }, 'variables.no-name'],
  [{ tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, 'tags'],
  [{ key: 'Upper' }, 'key'],
  [{ failuresBeforeDown: 11 }, 'failuresBeforeDown'],
  [{ degradedAboveMs: 0 }, 'degradedAboveMs'],
  [{ name: null }, 'name'],
  [{ name: 'a\u2028b' }, 'name'],
  [{ group: 'a\u2029b' }, 'group'],
  [{ tags: ['a\u0085b'] }, 'tags[0]'],
  [{ url: null }, 'url'],
  [{ version: 7, nonsense: 1 }, 'nonsense'],
  [{ nonsense: null }, 'nonsense'],
  [{ alerts: { nonsense: null } }, 'alerts.nonsense'],
])('a PATCH with %j is refused, and the monitor stays unchanged', async (patch, path) => {
  const body = { name: 'm', url: 'https://example.com/', method: 'GET', interval: 30 };
  const { body: created } = await as().post('/v1/monitors').send(body);
  const refused = await as().patch(`/v1/monitors/${created.id}`).send(patch);
  expect(refused.body).toMatchObject({ status: 400, code: 'validation_failed' });
  expect(refused.body.errors.map((problem: { path: string }) => problem.path)).toContain(path);
  const after = await as().get(`/v1/monitors/${created.id}`);
  expect(after.body).toMatchObject({ version: 1 });
});

it('a quorum above the number of default regions is refused', async () => {
  const body = { name: 'm', url: 'https://example.com/', quorum: 3 };
  const { body: refused } = await as().post('/v1/monitors').send(body);
  expect(refused).toMatchObject({ code: 'validation_failed', errors: [{ path: 'quorum' }] });
});

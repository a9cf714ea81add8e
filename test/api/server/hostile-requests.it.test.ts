/**
 * Thousands of hostile requests over every route, made from the shapes that the routes read: no answer
 * is a 5xx, and what another account has stays as it is.
 */
import fc from 'fast-check';
import request from 'supertest';
import { z } from 'zod';
import type { Route } from '../../../src/api/routing/route';
import { ROUTES } from '../../../src/api/v1/route-table';
import { runRecord } from '../../models/example-records';
import { testSeed } from '../../support/test-seed';
import { testSize } from '../../support/test-size';
import { arranged } from '../arranged';
import { personOf } from '../people';
import { suiteService, type TestAccount } from '../test-service';
import { contentType, nastyText, nastyValue, oddHeaders, rawBody } from './hostile-values';

const REQUESTS = testSize('hostile', { ci: 200, long: 20_000 });
const AT_ONCE = 16;

const routes = ROUTES;

const service = suiteService();
let hostile: TestAccount;
let victim: TestAccount;
let url: string;
let ids: Readonly<Record<string, readonly string[]>>;

beforeAll(async () => {
  service.gateway.testRun = async ({ accountId, scenarioId }) =>
    runRecord({ accountId, scenarioId, trigger: 'test' });
  hostile = await service.newAccount();
  victim = await service.newAccount();
  const owned = await Promise.all([hostile, victim].map(fill));
  ids = Object.fromEntries(
    Object.keys(owned[0] ?? {}).map((name) => [name, owned.map((one) => String(one[name]))]),
  );
  const address = service.app.address();
  url = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
});

/** One of everything that has an id. */
async function fill({ id, key }: TestAccount): Promise<Readonly<Record<string, unknown>>> {
  const as = request.agent(service.app).set('Authorization', `Bearer ${key}`);
  const made = async (path: string, body: object): Promise<unknown> =>
    (await arranged(as.post(path).send(body))).id;
  const steps = [{ name: 'a', url: 'http://example.com' }];
  const scenarioId = await made('/v1/scenarios', { name: 's', steps });
  await as.put('/v1/secrets/SHOP').send({ value: 'a secret' });
  return {
    monitorId: await made('/v1/monitors', { name: 'm', url: 'http://example.com' }),
    scenarioId,
    runId: await made(`/v1/scenarios/${String(scenarioId)}/run`, {}),
    channelId: await made('/v1/alert-channels', {
      name: 'c',
      type: 'email',
      emails: ['a@example.com'],
    }),
    memberId: (await personOf(service, id, 'viewer')).id,
    invitationId: await made('/v1/invitations', { email: `${id}@example.com`, role: 'viewer' }),
    keyId: await made('/v1/api-keys', { name: 'k' }),
    secretName: 'SHOP',
  };
}

interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

/** Names of all fields that a shape knows, however deep. */
function fieldsOf(shape: z.ZodType): readonly string[] {
  const schema = z.toJSONSchema(shape, { io: 'input', unrepresentable: 'any' });
  const names = JSON.stringify(schema).matchAll(/"([A-Za-z]\w{0,30})":[{[]/g);
  return [...new Set([...names].map(([, name = '']) => name))];
}

function requestsOf(entry: Route): fc.Arbitrary<HostileRequest> {
  return fc
    .record({
      params: fc.infiniteStream(fc.oneof(fc.constantFrom(0, 1), nastyText)),
      query: queryOf(entry),
      headers: fc.tuple(contentType, oddHeaders),
      body: bodyOf(entry),
    })
    .map(({ params, query, headers: [type, odd], body }) => ({
      method: entry.method,
      path: pathOf(entry, params) + query,
      headers: { authorization: `Bearer ${hostile.key}`, 'content-type': type, ...odd },
      body: entry.method === 'GET' ? null : body,
    }));
}

/** Ids of this and of the other account, and what is none. */
function pathOf({ path }: Route, params: Iterator<string | number>): string {
  return path.replaceAll(/:(\w+)/g, (_all, name: string) => {
    const param: unknown = params.next().value;
    if (typeof param === 'number') return ids[name]?.[param] ?? 'none';
    return encodeURIComponent(String(param).replaceAll(/\p{Surrogate}/gu, '?')) || '%20';
  });
}

function queryOf({ shapes }: Route): fc.Arbitrary<string> {
  const known = fieldsOf(shapes.query);
  const name = fc.oneof(fc.constantFrom('limit', 'cursor', ...known), nastyText);
  const pair = fc
    .tuple(name, nastyText)
    .map((both) =>
      both.map((text) => encodeURIComponent(text.replaceAll(/\p{Surrogate}/gu, '?'))).join('='),
    );
  return fc
    .oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(pair, { maxLength: 3 }))
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.join('&')}`));
}

/** The example with some fields put in, replaced or set on what is below, else no JSON at all. */
function bodyOf(entry: Route): fc.Arbitrary<Uint8Array> {
  const example: unknown = entry.doc.example ?? {};
  const fields = entry.shapes.body === null ? [] : fieldsOf(entry.shapes.body);
  const name = fc.oneof(fc.constantFrom('name', ...fields), nastyText);
  const changed = fc.array(fc.tuple(name, nastyValue), { minLength: 1, maxLength: 3 });
  const json = changed.map((changes) =>
    Buffer.from(JSON.stringify(changes.reduce(putSomewhere, example))),
  );
  return fc.oneof({ weight: 8, arbitrary: json }, { weight: 1, arbitrary: rawBody });
}

const MARK = 'a mark that stands for what is put';

/** Where the name stands already, however deep; else on top. */
function putSomewhere(value: unknown, [name, put]: readonly [string, unknown]): unknown {
  const text = JSON.stringify(value, (key, child: unknown) => (key === name ? MARK : child));
  if (text.includes(MARK))
    return JSON.parse(text, (_key, child: unknown) => (child === MARK ? put : child));
  const entries = Object.entries(typeof value === 'object' && value !== null ? value : {});
  return Object.fromEntries([...entries, [name, put]]);
}

async function send({ method, path, headers, body }: HostileRequest): Promise<string | null> {
  const answer = await fetch(url + path, { method, headers, ...(body === null ? {} : { body }) });
  const type = answer.headers.get('content-type') ?? '';
  const isEndless = type.startsWith('text/event-stream');
  const text = isEndless ? '' : await answer.text();
  if (isEndless) await answer.body?.cancel();
  if (answer.status >= 500) return `${answer.status} ${text}`;
  const isProblem = type.startsWith('application/problem+json');
  return answer.status >= 400 && !isProblem ? `${answer.status} is no problem document` : null;
}

async function storeOf(accountId: string): Promise<string> {
  const { connection } = service.database.database;
  const names = (await connection.listCollections()).map(({ name }) => name).sort();
  const all = await Promise.all(
    names.map(async (name) => {
      const owned = connection.collection(name).find({ accountId });
      return [name, (await owned.toArray()).map((row) => JSON.stringify(row)).sort()];
    }),
  );
  return JSON.stringify(all);
}

test('hostile requests get a clear no and change nothing of another account', async () => {
  const seed = testSeed();
  const before = await storeOf(victim.id);
  const perRoute = Math.ceil(REQUESTS / routes.length);
  let sent = 0;
  for (const entry of routes) {
    const requests = fc.sample(requestsOf(entry), { numRuns: perRoute, seed }).values();
    const work = async (): Promise<void> => {
      for (const one of requests) {
        const fault = await send(one);
        sent += 1;
        if (fault === null) continue;
        const shown = { ...one, body: one.body === null ? null : Buffer.from(one.body).toString() };
        throw new Error(`seed ${seed}: ${fault} for ${JSON.stringify(shown).slice(0, 3_000)}`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    // Guesses of this route are forgotten.
    service.clock.nowMs += 3_600_000;
  }
  expect(sent).toBeGreaterThanOrEqual(REQUESTS);
  expect(await storeOf(victim.id)).toBe(before);
  expect(Object.keys(Object.prototype)).toEqual([]);
  expect('isAdmin' in {}).toBe(false);
}, 1_200_000);

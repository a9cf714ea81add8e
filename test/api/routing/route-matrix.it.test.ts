/** Tests guarantees that hold for every route of /v1. */
import type { AddressInfo } from 'node:net';
import { Client } from 'undici';
import { z } from 'zod';
import { mountRoutes } from '../../../src/api/routing/mount-routes';
import { METHODS, type Route, route } from '../../../src/api/routing/route';
import { DONE } from '../../../src/api/routing/route-doc';
import { ROUTES } from '../../../src/api/v1/route-table';
import { MEMBER_ROLES, type MemberRole } from '../../../src/domain/accounts/roles';
import { isLongForm } from '../../support/test-size';
import { personOf, type TestPerson } from '../people';
import {
  openTestService,
  PUBLIC_URL,
  SECRET_KEY,
  type TestAccount,
  type TestService,
} from '../test-service';
import {
  KIND_OF_PARAMETER,
  learnFrom,
  listNamingParameters,
  listParameters,
  NAMELESS_PARAMETERS,
  REFERENCES,
  unusedLike,
} from './account-borders';
import { makeOneOfEach } from './one-of-each';
import { pathsOf } from './paths-of';

let service: TestService;
let account: TestAccount;
let ids: Readonly<Record<string, string>>;
let readOnlyKey: string;
let owner: TestAccount;
/** A second account that has its own objects. */
let neighbour: TestAccount;
let neighbourIds: Readonly<Record<string, string>>;
/**
 * Headers with the key of the neighbour, and headers of a member of both accounts whose session is in the neighbour's
 * account.
 */
let outsiders: readonly Readonly<Record<string, string>>[];
/** One person of each role. If the session of a person ends, the person is removed from the map and created again. */
const people = new Map<MemberRole, TestPerson>();

const routes = ROUTES;
const scoped = routes.filter(({ scope }) => scope !== 'public');
const names = (selected: readonly Route[]) =>
  selected.map((entry) => [`${entry.method} ${entry.path}`, entry] as const);

beforeAll(async () => {
  service = await openTestService();
  const { port } = service.app.address() as AddressInfo;
  client = new Client(`http://127.0.0.1:${port}`);
  account = await service.newAccount();
  owner = await service.newAccount();
  ids = await makeOneOfEach(service, owner);
  neighbour = await service.newAccount();
  neighbourIds = await makeOneOfEach(service, neighbour, NEIGHBOURS_KEY);
  outsiders = [bearer(neighbour.key), await memberOfBoth()];
  readOnlyKey = await account.newKey({ scopes: ['read'] });
});
afterAll(async () => {
  await client.close();
  await service.close();
});

/** Keeps connections open, because the tests send thousands of requests. */
let client: Client;

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

/** Sends a request to the route, with an id for each path parameter. */
async function send(
  { method, path: pattern }: Pick<Route, 'method' | 'path'>,
  idOf: (name: string) => string,
  { headers, body }: Sent = {},
) {
  const answer = await client.request({
    method,
    path: pattern.replaceAll(/:(\w+)/g, (_all, name: string) => idOf(name)),
    headers: { 'content-type': JSON_TYPE, ...headers },
    body: body ?? null,
  });
  const text = await answer.body.text();
  const parsed: unknown = isJson(answer.headers['content-type']) ? JSON.parse(text) : {};
  return { status: answer.statusCode, headers: answer.headers, body: parsed, text };
}

const isJson = (type: unknown): boolean => /^application\/(?:[a-z]+\+)?json/.test(String(type));
const OWNERS_KEY = 'of-the-owner';
const NEIGHBOURS_KEY = 'of-the-neighbour';

/** Creates an owner of the neighbour's account who is also a member of the first account. */
async function memberOfBoth(): Promise<Readonly<Record<string, string>>> {
  const { users } = service.services.stores;
  const person = await personOf(service, neighbour.id, 'owner');
  const user = await users.find(neighbour.id, person.id);
  if (user === null) throw new Error('the person is not a member');
  const id = service.services.newId('user');
  await users.create(owner.id, { ...user, id, accountId: owner.id });
  return { cookie: person.cookie, origin: PUBLIC_URL };
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/**
 * Routes that create an object under any name, so they accept a name that does not exist yet. secrets.it.test.ts shows
 * that accounts do not see each other's secrets.
 */
const CREATES_BY_NAME = ['PUT /v1/secrets/:secretName'];

const existing = (name: string): string => ids[name] ?? 'none';

/** Roles that can use every route. In CI, each route is tested with only one of them, in turn. */
const FULL: readonly MemberRole[] = ['owner', 'admin'];
const rolesAt = (entry: Route): readonly MemberRole[] => [
  ...takingTurns(entry, FULL, 1),
  ...MEMBER_ROLES.filter((role) => !FULL.includes(role)),
];

describe.each(names(scoped))('%s', (_name, entry) => {
  it('each route refuses a request without a key, with a WWW-Authenticate challenge', async () => {
    const answer = await send(entry, existing);
    expect(answer.body).toMatchObject({ status: 401, code: 'missing_token' });
    expect(answer.headers['www-authenticate']).toBe('Bearer');
  });

  it('each route refuses an unknown key', async () => {
    const answer = await send(entry, existing, { headers: bearer('kw_nonsense') });
    expect(answer.body).toMatchObject({ status: 401, code: 'invalid_token' });
  });

  if (entry.scope !== 'read') {
    it('each route refuses a read-only key, even before it validates the body', async () => {
      const answer = await send(entry, existing, { headers: bearer(readOnlyKey), body: '{' });
      expect(answer.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
    });
  }

  // An event stream does not end, and the last owner cannot leave. Other tests cover both routes.
  if (['/v1/events', '/v1/session/account'].includes(entry.path)) return;

  it.each(rolesAt(entry))('each route accepts a person if the role %s allows it', async (role) => {
    const person = people.get(role) ?? (await personOf(service, account.id, role));
    people.set(role, person);
    const answer = await send(entry, existing, {
      headers: { cookie: person.cookie, origin: PUBLIC_URL },
      body: entry.bodyRule === null ? undefined : '{',
    });
    // The request may have ended the session, so the person is created again for the next route.
    if (answer.status === 204) people.delete(role);
    if (isReachedBy(role, entry)) expect([200, 204, 400, 404]).toContain(answer.status);
    else expect(answer.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
  });

  if (entry.scope === 'operator') {
    it('each operator route refuses admin keys, even of the first account', async () => {
      const answer = await send(entry, existing, { headers: bearer(account.key), body: '{' });
      expect(answer.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
    });
    return;
  }

  if (entry.path.includes(':') && !CREATES_BY_NAME.includes(`${entry.method} ${entry.path}`)) {
    it('each route responds to malformed ids and ids of another account with the 404 of an unknown id', async () => {
      const kinds = takingTurns(entry, Object.values(ids), KINDS_IN_CI);
      const malformed = takingTurns(entry, MALFORMED, 1);
      const others = [...kinds, ...malformed].map((id) => () => id);
      for (const replaceId of [existing, ...others]) {
        const answer = await send(entry, replaceId, {
          headers: bearer(account.key),
          body: entry.bodyRule === null ? undefined : JSON.stringify(validBody(entry)),
        });
        expect(answer.body).toMatchObject({ status: 404, code: 'not_found' });
      }
    });
  }

  if (entry.path.includes(':') && !CREATES_BY_NAME.includes(`${entry.method} ${entry.path}`)) {
    it('the id of another account gets exactly the response of an unused id', async () => {
      const body = entry.bodyRule === null ? undefined : JSON.stringify(validBody(entry));
      const unused = (name: string): string => unusedLike(existing(name));
      const named = Object.keys(ids).flatMap((name) => [existing(name), unused(name)]);
      for (const headers of outsiders) {
        const [there, nowhere] = [
          await send(entry, existing, { headers, body }),
          await send(entry, unused, { headers, body }),
        ];
        expect(there.status).toBe(404);
        expect(learnFrom(there, named)).toBe(learnFrom(nowhere, named));
      }
      const [first, ...further] = [...entry.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
      if (further.length === 0 || first === undefined) return;
      // In this path, the first id belongs to the caller, and the further ids belong to the other account.
      const [there, nowhere] = await Promise.all(
        [existing, unused].map((idOf) =>
          send(entry, (name) => (name === first ? own(name) : idOf(name)), {
            headers: bearer(neighbour.key),
            body,
          }),
        ),
      );
      expect(there?.status).toBe(404);
      if (there !== undefined && nowhere !== undefined)
        expect(learnFrom(there, named)).toBe(learnFrom(nowhere, named));
    });
  }

  if (entry.bodyRule !== null) {
    it('each route responds to hostile bodies with 4xx problems', async () => {
      for (const [type, body] of takingTurns(entry, HOSTILE_BODIES, BODIES_IN_CI)) {
        const answer = await send(entry, existing, {
          headers: { ...bearer(account.key), 'content-type': type },
          body,
        });
        expect([400, 404, 413, 415]).toContain(answer.status);
        expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/);
      }
    });
  }
});

const REACH = { owner: 3, admin: 3, editor: 2, viewer: 0 } as const;
const NEEDED = { public: 0, read: 0, run: 1, write: 2, admin: 3 } as const;

/** Returns true if the role may use the route. None of the people in this test is an operator. */
function isReachedBy(role: keyof typeof REACH, { scope }: Route): boolean {
  if (scope === 'operator') return false;
  return REACH[role] >= NEEDED[scope];
}

const MALFORMED = ['mon_x', '%00'];
const KINDS_IN_CI = 1;
const BODIES_IN_CI = 1;

/**
 * Returns the values to try at this route. The long form tries all values. CI tries only `inCi` values per route, in
 * turn, because each value is sent to many routes.
 */
function takingTurns<Item>(entry: Route, all: readonly Item[], inCi: number): readonly Item[] {
  if (isLongForm) return all;
  const first = routes.indexOf(entry) * inCi;
  return Array.from({ length: inCi }, (_, nth) => all[(first + nth) % all.length]).filter(
    (item) => item !== undefined,
  );
}

/** Returns a valid body, so that the response depends only on the id. */
function validBody({ doc }: Route): object {
  return z.looseObject({}).parse(doc.example ?? {});
}

const reads = routes.filter(
  ({ method, scope, path: pattern }) =>
    method === 'GET' && scope !== 'operator' && pattern !== '/v1/events',
);
const own = (name: string): string => neighbourIds[name] ?? 'none';

/** Lists every id and key of the other account that is long enough to occur nowhere by chance. */
const listMarks = (): readonly string[] => [
  ...Object.values(ids).filter((id) => id.length > 12),
  OWNERS_KEY,
];

it('no read of an account, export included, contains anything of another account', async () => {
  let successes = 0;
  for (const entry of reads)
    for (const headers of outsiders) {
      const { status, text } = await send(entry, own, { headers });
      // The session of a person lists all accounts of that person, including the other account.
      const isOwnList = entry.path === '/v1/session' && headers['cookie'] !== undefined;
      const marks = listMarks().filter((mark) => !isOwnList || mark !== owner.id);
      const found = marks.filter((mark) => text.includes(mark));
      expect([entry.path, found]).toEqual([entry.path, []]);
      if (status === 200) successes += 1;
    }
  // The other reads need probe keys, a sign-in, or the creator of an object.
  expect(successes).toBeGreaterThan(2 * (reads.length - 8));
});

it('a query parameter with an id of another account gets the same response as with an unused id', async () => {
  for (const entry of reads)
    for (const name of listNamingParameters(entry)) {
      const kind = KIND_OF_PARAMETER[name] ?? '';
      const foreign = kind === 'key' ? OWNERS_KEY : existing(kind);
      const [there, nowhere] = await Promise.all(
        [foreign, unusedLike(foreign)].map(async (value) => {
          const asked = { ...entry, path: `${entry.path}?${name}=${value}` };
          const answer = await send(asked, own, { headers: bearer(neighbour.key) });
          return learnFrom(answer, [value]);
        }),
      );
      expect([entry.path, name, there]).toEqual([entry.path, name, nowhere]);
    }
});

it('no path outside /v1 reveals data of another account, or that the account exists', async () => {
  const outside = pathsOf(service.appWith({})).filter(
    ({ path: pattern }) => typeof pattern === 'string' && !pattern.startsWith('/v1/'),
  );
  expect(outside.length).toBeGreaterThan(20);
  for (const { method, path: pattern } of outside)
    for (const headers of outsiders) {
      const entry = { method: METHODS.find((known) => known === method) ?? 'POST', path: pattern };
      const there = await send(entry, (name) => readPart(name), { headers });
      const unused = (name: string): string =>
        Object.hasOwn(SAME_PARTS, name) ? readPart(name) : unusedLike(readPart(name));
      const nowhere = await send(entry, unused, { headers });
      const found = listMarks().filter((mark) => there.text.includes(mark));
      expect([pattern, found]).toEqual([pattern, []]);
      const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
      const named = names
        .filter((name) => !Object.hasOwn(SAME_PARTS, name))
        .flatMap((name) => [readPart(name), unused(name)]);
      expect([pattern, learnFrom(there, named)]).toEqual([pattern, learnFrom(nowhere, named)]);
    }
});

/** Values for the parts of paths outside /v1 that name no object. */
const SAME_PARTS = {
  kind: 'monitor',
  revision: '1',
  month: '2026-01',
  feed: 'feed.json',
  file: 'summary.json',
};

/**
 * Returns a value for a part of a path outside /v1. It names an object of the other account, whose status page is not
 * public.
 */
function readPart(name: string): string {
  const parts: Readonly<Record<string, string>> = {
    ...ids,
    slug: OWNERS_KEY,
    id: existing('monitorId'),
    ...SAME_PARTS,
  };
  const part = parts[name];
  if (part === undefined) throw new Error(`the matrix has no value for :${name}`);
  return part;
}

it('the matrix states for every query parameter whether the parameter names an object', () => {
  const known = new Set([...Object.keys(KIND_OF_PARAMETER), ...NAMELESS_PARAMETERS]);
  const unknown = reads.flatMap((entry) =>
    listParameters(entry).filter((name) => !known.has(name) && entry.scope !== 'public'),
  );
  expect(unknown).toEqual([]);
});

it.each(REFERENCES.map((reference, index) => ({ ...reference, index })))(
  '$endpoint with a $kind of another account is refused like an unknown $kind ($index)',
  async ({ endpoint, kind, body, index }) => {
    const [method, pattern = ''] = endpoint.split(' ');
    const entry = routes.find((one) => one.method === method && one.path === pattern);
    if (entry === undefined) throw new Error(`there is no ${endpoint}`);
    const [foreign, mine] =
      kind === 'key' ? [OWNERS_KEY, NEIGHBOURS_KEY] : [existing(kind), neighbourIds[kind] ?? ''];
    const ask = (id: string) =>
      send(entry, existing, {
        headers: bearer(neighbour.key),
        body: JSON.stringify(body(id, `border-${index}`)),
      });
    const [there, nowhere] = [await ask(foreign), await ask(unusedLike(foreign))];
    const named = [foreign, unusedLike(foreign)];
    expect(learnFrom(there, named)).toBe(learnFrom(nowhere, named));
    // The same request is valid if it names an object of the caller's account.
    const { status, text } = await ask(mine);
    expect([status < 300, text]).toEqual([true, text]);
  },
);

it('the matrix covers every kind of id that a path can contain', () => {
  const params = routes.flatMap(({ path: pattern }) => [...pattern.matchAll(/:(\w+)/g)]);
  const kinds = new Set(params.map(([, name]) => name));
  expect(kinds).toEqual(new Set(Object.keys(ids)));
});

const JSON_TYPE = 'application/json';
const HOSTILE_BODIES: readonly (readonly [string, string])[] = [
  [JSON_TYPE, '{"name":'],
  [JSON_TYPE, '['.repeat(60_000)],
  [JSON_TYPE, `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`],
  [JSON_TYPE, 'null'],
  [JSON_TYPE, '[]'],
  [JSON_TYPE, '"text"'],
  [JSON_TYPE, '1e999'],
  [JSON_TYPE, '{"__proto__":{"isAdmin":true}}'],
  [JSON_TYPE, '{"constructor":{"prototype":{}}}'],
  [JSON_TYPE, '{"$where":"1"}'],
  [JSON_TYPE, '\u0000'],
  [JSON_TYPE, `{"name":"${'x'.repeat(300_000)}"}`],
  ['text/plain', '{}'],
  ['application/x-www-form-urlencoded', 'name=x'],
  ['multipart/form-data; boundary=x', '--x--'],
];

it('a known path responds with 405 and Allow to every other method', async () => {
  for (const pattern of new Set(routes.map(({ path: known }) => known))) {
    const methods: string[] = routes
      .filter(({ path: known }) => known === pattern)
      .map(({ method }) => method);
    const unused = METHODS.find((method) => !methods.includes(method)) ?? 'PATCH';
    const answer = await send({ method: unused, path: pattern }, existing);
    expect(answer.body).toMatchObject({ status: 405, code: 'method_not_allowed' });
    const allowed = String(answer.headers['allow'])
      .split(', ')
      .filter((name) => name !== 'HEAD');
    expect(allowed.sort()).toEqual(methods.sort());
  }
});

it('only routes that declare a scope are mounted, and each route once', () => {
  const { services } = service;
  const options = { services, publicUrl: PUBLIC_URL, secretKeys: [SECRET_KEY] };
  const entry = route({
    endpoint: 'GET /v1/nothing',
    operationId: 'getNothing',
    tag: 'Service',
    summary: 'Nothing',
    description: 'Returns things.',
    guide: 'docs/api.md',
    responses: DONE,
    scope: 'read',
    handler: async () => ({ status: 204 }),
  });
  expect(() => mountRoutes([entry], options)).not.toThrow();
  expect(() => mountRoutes([entry, entry], options)).toThrow('mounted twice');
  const unscoped = { ...entry, scope: z.any().parse(undefined) };
  expect(() => mountRoutes([unscoped], options)).toThrow('declares no scope');
});

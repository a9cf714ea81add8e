/**
 * Tests what the keys and links of a person allow after the person gets a lower role. Each key and link is created with
 * each role and used under each lower role.
 *
 * Covers:
 * - services/accounts/principal
 * - services/sessions/authenticate
 */
import request from 'supertest';
import {
  MEMBER_ROLES,
  type MemberRole,
  SCOPES,
  type Scope,
} from '../../../src/domain/accounts/roles';
import { PASSWORD, personOf, type TestPerson } from '../people';
import { accountOfEach, PUBLIC_URL, suiteService } from '../test-service';

// Passwords are not really hashed. Real hashes are slow on purpose and do not matter here.
const service = suiteService({
  passwords: {
    hash: async (password) => `plain ${password}`,
    verify: async (hash, password) => hash === `plain ${password}`,
  },
});
const account = accountOfEach(service);
let owner: TestPerson;
beforeEach(async () => {
  owner = await personOf(service, account.id, 'owner');
});

/** For each scope, a request that needs exactly this scope. */
const NEEDING: Readonly<Record<Scope, (key: string) => request.Test>> = {
  read: (key) => withKey(key, 'get', '/v1/monitors'),
  run: (key) => withKey(key, 'post', '/v1/monitors/mon_0/run'),
  write: (key) => withKey(key, 'delete', '/v1/monitors/mon_0'),
  admin: (key) => withKey(key, 'get', '/v1/invitations'),
};
const MAY: Readonly<Record<MemberRole, readonly Scope[]>> = {
  owner: ['read', 'run', 'write', 'admin'],
  admin: ['read', 'run', 'write', 'admin'],
  editor: ['read', 'run', 'write'],
  viewer: ['read'],
};
const RANKS = SCOPES;

function withKey(
  key: string,
  verb: 'get' | 'post' | 'delete' | 'patch',
  path: string,
  body?: object,
) {
  return request(service.app)[verb](path).set('Authorization', `Bearer ${key}`).send(body);
}

function as({ cookie }: TestPerson, verb: 'post' | 'patch', path: string, body: object) {
  return request(service.app)[verb](path).set({ Cookie: cookie, Origin: PUBLIC_URL }).send(body);
}

async function give(person: TestPerson, role: MemberRole): Promise<void> {
  const changed = await as(owner, 'patch', `/v1/members/${person.id}`, { role });
  expect(changed.status).toBe(200);
}

const tokenIn = (link: unknown): string => String(link).split('#token=')[1] ?? '';

/** Sends one request for each scope. The key was created with the scope of this rank. */
async function expectRights(key: string, rank: number, role: MemberRole): Promise<void> {
  for (const [needed, ask] of Object.entries(NEEDING)) {
    const { status, body } = await ask(key);
    const neededRank = (RANKS as readonly string[]).indexOf(needed);
    const isAllowed = neededRank <= rank && MAY[role].some((known) => known === needed);
    const seen = status === 403 ? body.code : 'allowed';
    const expected = isAllowed ? 'allowed' : 'insufficient_scope';
    expect([role, rank, needed, seen]).toEqual([role, rank, needed, expected]);
  }
}

test('an API key is limited by its scopes and by the current role of its creator', async () => {
  const maker = await personOf(service, account.id, 'admin');
  for (const [rank, scope] of RANKS.entries()) {
    await give(maker, 'admin');
    const made = await as(maker, 'post', '/v1/api-keys', { name: scope, scopes: [scope] });
    const byKey = await withKey(made.body.key, 'post', '/v1/api-keys', {
      name: 'x',
      scopes: [scope],
    });
    const keys = [made.body.key, ...(byKey.status === 201 ? [byKey.body.key] : [])];
    for (const role of [...MEMBER_ROLES, 'admin'] as const) {
      await give(maker, role);
      for (const key of keys) await expectRights(key, rank, role);
    }
  }
});

test('a demoted admin cannot regain the former role with a key, and the refusal explains why', async () => {
  const admin = await personOf(service, account.id, 'admin');
  const { body: made } = await as(admin, 'post', '/v1/api-keys', { name: 'k', scopes: ['admin'] });
  await give(admin, 'editor');
  const refused = await withKey(made.key, 'patch', `/v1/members/${admin.id}`, { role: 'admin' });
  expect(refused.body).toMatchObject({ status: 403, code: 'insufficient_scope' });
  expect(refused.body.detail).toMatch(/creator of this key now has the role editor/);
  for (const path of ['/v1/invitations', '/v1/members'])
    expect(
      (await withKey(made.key, 'post', path, { email: 'x@example.com', role: 'admin' })).status,
    ).toBe(403);
});

/** Links that create a person with a role, each with the request that uses the link. */
const LINKS = {
  'an invitation': { made: '/v1/invitations', url: 'acceptUrl', used: '/v1/invitations/accept' },
  'the link of a new member': {
    made: '/v1/members',
    url: 'setPasswordUrl',
    used: '/v1/password/reset',
  },
} as const;

/**
 * Each entry: the role of the creator when the link is created, the role of the creator later, and the role that the
 * link gives.
 */
const GRANTS = (['owner', 'admin'] as const).flatMap((was) =>
  MEMBER_ROLES.flatMap((is) =>
    MEMBER_ROLES.filter((role) => was === 'owner' || role !== 'owner').map(
      (role) => [was, is, role] as const,
    ),
  ),
);

test.each(Object.entries(LINKS))(
  '%s works only while its creator may grant the role of the new member',
  async (what, { made, url, used }) => {
    for (const [index, [was, is, role]] of GRANTS.entries()) {
      const maker = await personOf(service, account.id, was);
      const email = `${what.replaceAll(' ', '')}-${index}@example.com`.toLowerCase();
      const link = await as(maker, 'post', made, { email, role });
      expect(link.status).toBe(201);
      await give(maker, is);
      service.clock.nowMs += 3_600_000;
      const opened = await request(service.app)
        .post(used)
        .send({ token: tokenIn(link.body[url]), password: PASSWORD });
      const isWorth = is === 'owner' || (is === 'admin' && role !== 'owner');
      const seen = opened.status < 300 ? 'taken' : opened.body.code;
      const expected = isWorth ? 'taken' : 'invalid_token';
      expect([was, is, role, seen]).toEqual([was, is, role, expected]);
    }
  },
);

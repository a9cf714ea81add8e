/**
 * Tests the choice to stay signed in: how long such a session lasts, which ways to sign in carry the choice, and what
 * it does not change.
 *
 * Covers:
 * - domain/accounts/session-rules
 * - services/sessions/sessions
 */
import { TOTP } from 'otpauth';
import request from 'supertest';
import { createHousekeeping } from '../../../src/models';
import { fromHook } from '../../support/from-hook';
import { PASSWORD, personOf, type TestPerson } from '../people';
import { PUBLIC_URL } from '../test-service';
import {
  addPerson,
  begin,
  comeBack,
  openSignInService,
  readCookie,
  type SignInService,
} from './sign-in-service';

const DAY_MS = 24 * 3_600_000;
const MAX_AGE = { short: 'Max-Age=604800', long: 'Max-Age=2592000' };

const all: SignInService = fromHook(beforeAll, openSignInService);
afterAll(() => all.close());

let startMs: number;
beforeAll(() => {
  startMs = all.service.clock.nowMs;
});

let person: TestPerson;
beforeEach(async () => {
  // The provider has a clock of its own and refuses sign-ins at a very different time.
  all.service.clock.nowMs = startMs;
  person = await personOf(all.service, all.accountId, 'viewer');
});

interface Signed {
  /** The whole Set-Cookie header. */
  readonly setCookie: string;
  readonly cookie: string;
}

function readSigned({ headers }: request.Response): Signed {
  const setCookie = String(headers['set-cookie']);
  return { setCookie, cookie: readCookie(headers, 'keepwatch_session') ?? '' };
}

const login = (body: object = {}) =>
  request(all.service.app)
    .post('/v1/session')
    .send({ email: person.email, password: PASSWORD, ...body });

const as = (cookie: string, method: 'get' | 'post' | 'put', path: string, body?: object) =>
  request(all.service.app)[method](path).set({ Cookie: cookie, Origin: PUBLIC_URL }).send(body);

async function listOwn(cookie: string) {
  const { body } = await as(cookie, 'get', '/v1/sessions');
  return body.data.find(({ isCurrent }: { readonly isCurrent: boolean }) => isCurrent);
}

async function useEvery(cookie: string, stepMs: number, untilMs: number): Promise<void> {
  for (let pastMs = 0; pastMs < untilMs; pastMs += stepMs) {
    expect((await as(cookie, 'get', '/v1/session')).status).toBe(200);
    all.service.clock.nowMs += stepMs;
  }
}

describe('a session of a person who stays signed in', () => {
  it('a session that stays signed in ends after 7 idle days, and after 30 days even if in use', async () => {
    const idle = readSigned(await login({ staySignedIn: true }));
    all.service.clock.nowMs += 7 * DAY_MS - 1;
    expect((await as(idle.cookie, 'get', '/v1/session')).status).toBe(200);
    all.service.clock.nowMs += 7 * DAY_MS;
    expect((await as(idle.cookie, 'get', '/v1/session')).body.code).toBe('expired_token');
    const used = readSigned(await login({ staySignedIn: true }));
    await useEvery(used.cookie, 6 * DAY_MS, 30 * DAY_MS);
    expect((await as(used.cookie, 'get', '/v1/session')).body.code).toBe('expired_token');
  });

  it('the cookie and the list of sessions follow the choice, which is off by default', async () => {
    for (const [body, maxAge, days, isLong] of [
      [{}, MAX_AGE.short, 7, false],
      [{ staySignedIn: false }, MAX_AGE.short, 7, false],
      [{ staySignedIn: true }, MAX_AGE.long, 30, true],
    ] as const) {
      const { setCookie, cookie } = readSigned(await login(body));
      expect(setCookie).toContain(maxAge);
      const { staySignedIn, createdAt, endsAt } = await listOwn(cookie);
      expect(staySignedIn).toBe(isLong);
      expect(Date.parse(endsAt) - Date.parse(createdAt)).toBe(days * DAY_MS);
    }
  });

  it('a choice to stay signed in that is not a boolean is refused', async () => {
    for (const staySignedIn of ['true', 1, null]) {
      const { status, body } = await login({ staySignedIn });
      expect([status, body.errors]).toEqual([
        400,
        [expect.objectContaining({ path: 'staySignedIn' })],
      ]);
    }
  });

  it('a person who stays signed in must prove who they are again after 15 minutes', async () => {
    const { cookie } = readSigned(await login({ staySignedIn: true }));
    all.service.clock.nowMs += 15 * 60_000;
    const adding = await as(cookie, 'post', '/v1/session/factors/totp');
    expect(adding.body).toMatchObject({ status: 403, code: 'proof_required' });
  });

  it('a password change ends every session that stays signed in, and its new session keeps the choice', async () => {
    const other = readSigned(await login({ staySignedIn: true }));
    const { cookie } = readSigned(await login({ staySignedIn: true }));
    const body = { currentPassword: PASSWORD, newPassword: `${PASSWORD} and more` };
    const changed = readSigned(await as(cookie, 'post', '/v1/password', body));
    expect(changed.setCookie).toContain(MAX_AGE.long);
    expect(await listOwn(changed.cookie)).toMatchObject({ staySignedIn: true });
    for (const ended of [cookie, other.cookie])
      expect((await as(ended, 'get', '/v1/session')).body.code).toBe('invalid_token');
  });

  it('a session that gets a new id by a switch of accounts keeps the choice and its age', async () => {
    const { cookie } = readSigned(await login({ staySignedIn: true }));
    const before = await listOwn(cookie);
    all.service.clock.nowMs += DAY_MS;
    const body = { accountId: all.accountId };
    const moved = readSigned(await as(cookie, 'put', '/v1/session/account', body));
    expect(moved.setCookie).toContain(MAX_AGE.long);
    expect(await listOwn(moved.cookie)).toMatchObject({
      staySignedIn: true,
      endsAt: before.endsAt,
    });
  });

  it('expired sessions never push out a session that stays signed in', async () => {
    const { cookie } = readSigned(await login({ staySignedIn: true }));
    for (let count = 0; count < 22; count += 1) {
      await login();
      if (count % 8 === 0) {
        all.service.clock.nowMs += DAY_MS;
        expect((await as(cookie, 'get', '/v1/session')).status).toBe(200);
      }
    }
    expect((await as(cookie, 'get', '/v1/session')).status).toBe(200);
  });

  it('housekeeping deletes sessions at the end of their own lifetime', async () => {
    const { database, clock } = all.service;
    const { sessions } = database.database.models;
    await sessions.deleteMany({});
    const sweep = () =>
      createHousekeeping(database.database, { now: () => clock.nowMs }).sweepExpired(5_000);
    await login();
    await login({ staySignedIn: true });
    clock.nowMs += 7 * DAY_MS;
    await sweep();
    expect(await sessions.find({}).lean()).toMatchObject([{ staySignedIn: true }]);
    clock.nowMs += 23 * DAY_MS;
    await sweep();
    expect(await sessions.countDocuments({})).toBe(0);
  });
});

describe('the ways to sign in', () => {
  it('a second factor opens the session with the choice of the first step', async () => {
    const { body } = await as(person.cookie, 'post', '/v1/session/factors/totp');
    const codeNow = () =>
      new TOTP({ secret: body.secret }).generate({ timestamp: all.service.clock.nowMs });
    const adding = { token: body.token, code: codeNow() };
    await as(person.cookie, 'post', '/v1/session/factors/totp/confirm', adding);
    for (const [staySignedIn, maxAge] of [
      [true, MAX_AGE.long],
      [false, MAX_AGE.short],
    ] as const) {
      all.service.clock.nowMs += 30_000;
      const { token } = (await login({ staySignedIn })).body.secondFactor;
      const prove = (given: object) =>
        request(all.service.app)
          .post('/v1/session/second-factor')
          .send({ token, code: codeNow(), ...given });
      expect((await prove({ staySignedIn: true })).status).toBe(400);
      expect(readSigned(await prove({})).setCookie).toContain(maxAge);
    }
  });

  it.each([
    ['', 'same-origin', MAX_AGE.short],
    ['?staySignedIn=true', 'same-origin', MAX_AGE.long],
    ['?staySignedIn=true', 'cross-site', MAX_AGE.short],
  ])(
    'a sign-in through a provider that starts with %j, %s, gets a cookie with %s',
    async (query, site, maxAge) => {
      const { subject } = addPerson(all);
      const begun = await begin(all, 'company', query, { 'Sec-Fetch-Site': site });
      const back = await all.provider.visit(begun.location, subject);
      expect(readSigned(await comeBack(all, back, begun.cookie)).setCookie).toContain(maxAge);
    },
  );

  it('the start of a sign-in through a provider refuses any other value of the choice', async () => {
    const path = '/v1/sign-in/oidc/company/start?staySignedIn=yes';
    expect((await request(all.service.app).get(path)).body.code).toBe('invalid_query');
  });
});

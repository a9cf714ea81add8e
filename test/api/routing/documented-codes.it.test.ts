/**
 * Tests that the refusals that the reference lists for every route of a kind do occur. documented-responses.ts tests
 * the opposite: every response that occurs is documented. CI tries each refusal at one route, and the long form at all
 * routes. The suites of single routes test their special refusals.
 */
import request from 'supertest';
import { formatEndpoint } from '../../../src/api/openapi/document';
import { listCodes } from '../../../src/api/openapi/refusals';
import type { Method, Route } from '../../../src/api/routing/route';
import { ROUTES } from '../../../src/api/v1/route-table';
import { ERROR_STATUSES, type ErrorCode } from '../../../src/contracts/error-codes';
import { AppError } from '../../../src/platform/errors';
import { isLongForm } from '../../support/test-size';
import { personOf, type TestPerson } from '../people';
import { accountOfSuite, PUBLIC_URL, suiteService } from '../test-service';
import { makeOneOfEach } from './one-of-each';

const BODY_BYTES_MAX = 256 * 1024;
const NEW_MINUTE_MS = 60_000;

const service = suiteService({ areKeysLimited: true });
const account = accountOfSuite(service);
let withoutFactor: TestPerson;
let ids: Readonly<Record<string, string>>;
/** The error that every lookup of an API key throws. null if lookups work. */
let fault: Error | null = null;
type KeyName = 'expired' | 'revoked' | 'readOnly' | 'free' | 'usedUp' | 'suspended';
const keys: Record<KeyName, string> = {} as never;

beforeAll(async () => {
  ids = await makeOneOfEach(service, account);
  const [free, limited] = [await service.newAccount(), await service.newAccount()];
  const { accounts } = service.database.database.models;
  await accounts.updateOne({ _id: free.id }, { $set: { plan: 'free' } });
  const strict = await service.newAccount();
  withoutFactor = await personOf(service, strict.id, 'owner');
  await service.services.stores.accounts.setRequireSecondFactor(strict.id, true);
  const atMs = service.clock.nowMs;
  const suspended = await service.newAccount();
  keys.suspended = suspended.key;
  const { stores } = service.services;
  await stores.accounts.setSuspended(suspended.id, { reason: 'Unpaid', atMs }, atMs);
  keys.expired = await account.newKey({ expiresAtMs: atMs });
  keys.revoked = await account.newKey({ revokedAtMs: atMs });
  keys.readOnly = await account.newKey({ scopes: ['read'] });
  keys.free = free.key;
  keys.usedUp = limited.key;
  const { apiKeys } = stores;
  const { findByHash } = apiKeys;
  Object.assign(apiKeys, {
    findByHash: async (hash: string) => {
      if (fault !== null) throw fault;
      return findByHash(hash);
    },
  });
});
beforeEach(() => {
  service.clock.nowMs += NEW_MINUTE_MS;
});

const SENDERS = {
  GET: 'get',
  POST: 'post',
  PUT: 'put',
  PATCH: 'patch',
  DELETE: 'delete',
} as const satisfies Record<Method, string>;

interface Sending {
  readonly key?: string | null;
  readonly cookie?: string;
  readonly query?: string;
  readonly type?: string;
  readonly body?: string | undefined;
  readonly idOf?: (name: string) => string;
  readonly once?: string;
}

/** Sends a request, by default as the admin of the account with the example body. */
async function send(entry: Route, sending: Sending = {}) {
  const { cookie, key = cookie === undefined ? account.key : null, query = '' } = sending;
  const { body, once } = sending;
  const { type = 'application/json', idOf = (name: string) => ids[name] ?? 'none' } = sending;
  const path = entry.path.replaceAll(/:(\w+)/g, (_all, name: string) => idOf(name));
  return request(service.app)
    [SENDERS[entry.method]](`${path}${query}`)
    .set({ 'Content-Type': type })
    .set(key === null ? {} : { Authorization: `Bearer ${key}` })
    .set(cookie === undefined ? {} : { Cookie: cookie, Origin: PUBLIC_URL })
    .set(once === undefined ? {} : { 'Idempotency-Key': once })
    .send(body);
}

type Answered = Awaited<ReturnType<typeof send>>;

async function whileBroken(error: Error, entry: Route): Promise<Answered> {
  fault = error;
  try {
    return await send(entry);
  } finally {
    fault = null;
  }
}

async function whenUsedUp(entry: Route): Promise<Answered> {
  const use = () => request(service.app).get('/v1/account').auth(keys.usedUp, { type: 'bearer' });
  await use();
  const { quotas } = service.database.database.models;
  await quotas.updateMany({ minuteUsed: 1 }, { $set: { minuteUsed: 1_000 } });
  const answer = await send(entry, { key: keys.usedUp });
  await quotas.deleteMany({});
  return answer;
}

const away = new AppError('unavailable', 'Away.');

/** For each refusal, a function that provokes it. */
const REFUSALS: Partial<Record<ErrorCode, (entry: Route) => Promise<Answered>>> = {
  missing_token: (entry) => send(entry, { key: null }),
  invalid_token: (entry) => send(entry, { key: 'kw_nonsense' }),
  expired_token: (entry) => send(entry, { key: keys.expired }),
  revoked_token: (entry) => send(entry, { key: keys.revoked }),
  account_suspended: (entry) => send(entry, { key: keys.suspended }),
  second_factor_required: (entry) => send(entry, { cookie: withoutFactor.cookie }),
  insufficient_scope: (entry) => send(entry, { key: keys.readOnly }),
  plan_required: (entry) => send(entry, { key: keys.free }),
  rate_limited: whenUsedUp,
  unavailable: (entry) => whileBroken(away, entry),
  internal: (entry) => whileBroken(new Error('a mistake of ours'), entry),
  invalid_query: (entry) => send(entry, { query: '?nonsense=1', body: validBody(entry) }),
  invalid_cursor: (entry) => send(entry, { query: '?cursor=x' }),
  not_found: (entry) => send(entry, { idOf: () => 'none', body: validBody(entry) }),
  invalid_json: (entry) => send(entry, { body: '{' }),
  validation_failed: (entry) => send(entry, { body: '{"nonsense":1}' }),
  unsupported_media_type: (entry) => send(entry, { body: '<a/>', type: 'application/xml' }),
  payload_too_large: (entry) => {
    const bytesMax = entry.bodyRule?.bytesMax ?? BODY_BYTES_MAX;
    return send(entry, { body: ' '.repeat(bytesMax + 1) });
  },
  idempotency_conflict: async (entry) => {
    const once = formatEndpoint(entry);
    await send(entry, { once, body: '{"nonsense":1}' });
    return send(entry, { once, body: '{"nonsense":2}' });
  },
};

function validBody(entry: Route): string | undefined {
  return entry.bodyRule === null ? undefined : JSON.stringify(entry.doc.example ?? {});
}

/** Refusals that cannot occur at a route. PUT creates a secret under any name, so the secret is always found. */
const IMPOSSIBLE: Readonly<Record<string, readonly ErrorCode[]>> = {
  'PUT /v1/secrets/:secretName': ['not_found'],
};

/** Pairs each route with each refusal that is documented for its kind. */
const documented = ROUTES.filter(({ scope }) => scope !== 'public').flatMap((entry) => {
  const name = formatEndpoint(entry);
  const codes = new Set(listCodes({ ...entry, doc: { ...entry.doc, codes: [] } }));
  return [...codes]
    .filter((code) => IMPOSSIBLE[name]?.includes(code) !== true)
    .map((code) => [name, code, entry] as const);
});
const oncePerCode = [...new Map(documented.map((one) => [one[1], one])).values()];

it.each(isLongForm ? documented : oncePerCode)(
  '%s refuses with the code %s, which its documentation lists',
  async (_name, code, entry) => {
    const { body } = (await REFUSALS[code]?.(entry)) ?? { body: 'nobody knows how' };
    expect(body).toEqual(expect.objectContaining({ code, status: ERROR_STATUSES[code] }));
  },
);

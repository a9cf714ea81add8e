/** Set-up, sessions, the account and its regions as /v1 answers them (CONTRACT §1, §8, §9). */
import { z } from 'zod';
import { idOf, instant, maybeInstant, pageOf } from './parts';

export const account = z
  .strictObject({
    id: idOf('account'),
    name: z.string(),
    plan: z.enum(['free', 'pro', 'growth', 'business']),
    createdAt: instant,
  })
  .meta({ id: 'Account' });

const user = z
  .strictObject({
    id: idOf('user'),
    email: z.string(),
    role: z.enum(['owner', 'admin', 'editor', 'viewer']),
    createdAt: instant,
  })
  .meta({ id: 'User' });

const scopes = z.array(z.enum(['read', 'run', 'write', 'admin']));

const keyFields = {
  id: idOf('apiKey'),
  name: z.string(),
  prefix: z.string(),
  last4: z.string(),
  scopes,
  expiresAt: maybeInstant,
  revokedAt: maybeInstant,
  createdAt: instant,
  lastUsedAt: maybeInstant,
};

export const apiKeyPage = pageOf(z.strictObject(keyFields).meta({ id: 'ApiKey' }));

export const newApiKey = z
  .strictObject({ ...keyFields, key: z.string() })
  .meta({ id: 'NewApiKey', description: '`key` is in this one answer only' });

export const setUpRequired = z.strictObject({ required: z.boolean() });

export const setUpAnswer = z
  .strictObject({ account, user, apiKey: newApiKey })
  .meta({ id: 'SetUp' });

/** What signing in answers. */
export const openedSession = z.strictObject({ account, user }).meta({ id: 'OpenedSession' });

export const session = z
  .strictObject({
    account,
    user: user.nullable(),
    actor: z.strictObject({ type: z.enum(['user', 'api_key']), id: z.string() }),
    scopes,
  })
  .meta({ id: 'Session', description: '`user` is null for an API key' });

export const regionPage = pageOf(
  z
    .strictObject({
      id: z.string(),
      status: z.enum(['online', 'offline']),
      workers: z.int(),
      lastSeenAt: maybeInstant,
    })
    .meta({ id: 'Region' }),
);

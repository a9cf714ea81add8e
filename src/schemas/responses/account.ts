/** Setup, sessions, the account, its people, keys and audit trail as /v1 returns them (docs/api.md). */
import { z } from 'zod';
import { REGISTRATION_MODES } from '../../contracts/operations/registration';
import { PLANS } from '../../domain/accounts/plan';
import { MEMBER_ROLES, SCOPES } from '../../domain/accounts/roles';
import { idSchema, instant, json, maybeInstant, pageSchema, type ResponseOf } from './parts';

const account = z
  .strictObject({
    id: idSchema('account'),
    name: z.string(),
    plan: z.enum(PLANS),
    suspended: z.strictObject({ reason: z.string(), since: instant }).nullable().meta({
      description: 'Set while the account is suspended. Nothing is checked then',
    }),
    createdAt: instant,
  })
  .meta({ id: 'Account' });

export type AccountResponse = ResponseOf<typeof account>;

/** Numbers for each kind of object that a plan limits. */
const amounts = { monitors: z.int(), scenarios: z.int(), members: z.int() };

const watchdogFacts = z
  .strictObject({
    url: z.string().meta({ description: 'URL that gets the pings, with secret parts masked' }),
    everySeconds: z.int(),
    requires: z.array(z.string()),
    state: z.enum(['waiting', 'healthy', 'failing', 'unreported']).meta({
      description:
        'waiting: no report yet; failing: the canary fails; unreported: the receiver does not accept the reports',
    }),
    reason: z.string().nullable(),
    since: maybeInstant,
    lastPingAt: maybeInstant,
  })
  .meta({ id: 'WatchdogFacts' });

export type WatchdogFacts = ResponseOf<typeof watchdogFacts>;

const serviceFacts = z
  .strictObject({
    version: z.string(),
    nodeVersion: z.string(),
    database: z
      .strictObject({ kind: z.enum(['embedded', 'mongodb']), version: z.string() })
      .nullable(),
    temporal: z
      .strictObject({ version: z.string(), persistence: z.string().nullable() })
      .nullable(),
    temporalAddress: z.string(),
    publicUrl: z.string().meta({ description: 'KEEPWATCH_PUBLIC_URL' }),
    dataFolder: z.string().nullable(),
    watchdog: watchdogFacts
      .nullable()
      .meta({ description: 'null: KEEPWATCH_WATCHDOG_URL is empty' }),
  })
  .meta({
    id: 'ServiceFacts',
    description: '`temporal` and `database` are null while they do not respond',
  });

export type ServiceFacts = ResponseOf<typeof serviceFacts>;

export const accountDetail = z
  .strictObject({
    ...account.shape,
    bounds: z.strictObject({
      ...amounts,
      minIntervalSeconds: z.int(),
      retentionDays: z.int(),
    }),
    defaultProfile: z.string().nullable().meta({
      description: 'Key of the profile of new monitors and scenarios that name none; null: none',
    }),
    requireSecondFactor: z.boolean().meta({
      description: 'Whether members must prove a second factor to sign in',
    }),
    usage: z.strictObject({ ...amounts, apiKeys: z.int() }),
    /** Limits per API key. null means that the plan has no keys. */
    rateLimits: z.strictObject({ perMinute: z.int(), perDay: z.int() }).nullable(),
    service: serviceFacts
      .nullable()
      .optional()
      .meta({ description: 'Only with `include=service`; null for everyone except owners' }),
  })
  .meta({ id: 'AccountDetail', description: 'With limits of its plan and current usage' });

export type AccountDetail = ResponseOf<typeof accountDetail>;

const role = z.enum(MEMBER_ROLES);

const userFields = { id: idSchema('user'), email: z.string(), role, createdAt: instant };

const user = z.strictObject(userFields).meta({ id: 'User' });

export type UserResponse = ResponseOf<typeof user>;

const memberFields = { ...userFields, state: z.enum(['active', 'invited']) };

export const member = z
  .strictObject(memberFields)
  .meta({ id: 'Member', description: '`invited` until the person accepts' });

export type MemberResponse = ResponseOf<typeof member>;

export const memberPage = pageSchema(member);

/** True if the link was sent to the person by email. False if the response contains the link. */
const mailed = z.boolean();

export const newMember = z
  .strictObject({ ...memberFields, mailed, setPasswordUrl: z.string().nullable() })
  .meta({ id: 'NewMember', description: 'The link is null if it was sent by email' });

export type NewMemberResponse = ResponseOf<typeof newMember>;

const maker = idSchema('user')
  .nullable()
  .meta({ description: 'The person with whose removal it ends; null: unknown' });

const invitationFields = {
  id: idSchema('invitation'),
  email: z.string(),
  role,
  createdAt: instant,
  createdBy: maker,
  expiresAt: instant,
};

export const invitation = z.strictObject(invitationFields).meta({ id: 'Invitation' });

export type InvitationResponse = ResponseOf<typeof invitation>;

export const invitationPage = pageSchema(invitation);

export const newInvitation = z
  .strictObject({ ...invitationFields, mailed, acceptUrl: z.string().nullable() })
  .meta({ id: 'NewInvitation', description: 'The link is null if it was sent by email' });

export type NewInvitationResponse = ResponseOf<typeof newInvitation>;

const scopes = z.array(z.enum(SCOPES));

const keyFields = {
  id: idSchema('apiKey'),
  name: z.string(),
  prefix: z.string(),
  last4: z.string(),
  scopes,
  operator: z.boolean().meta({ description: 'Whether the key may manage all accounts' }),
  expiresAt: maybeInstant,
  revokedAt: maybeInstant,
  createdAt: instant,
  createdBy: maker,
  lastUsedAt: maybeInstant,
};

export const newApiKey = z
  .strictObject({ ...keyFields, key: z.string() })
  .meta({ id: 'NewApiKey', description: 'Only this response contains `key`' });

export type NewApiKeyResponse = ResponseOf<typeof newApiKey>;

export const apiKey = z.strictObject(keyFields).meta({ id: 'ApiKey' });

export type ApiKeyResponse = ResponseOf<typeof apiKey>;
export const apiKeyPage = pageSchema(apiKey);

export const setUpRequired = z.strictObject({
  required: z.boolean(),
  registration: z.enum(REGISTRATION_MODES).meta({
    description:
      'Who may create an account. off: only operators; invite: people with a link from an operator; open: everyone with a confirmed email address',
  }),
});

export const setUpResponse = z
  .strictObject({ account, user, apiKey: newApiKey })
  .meta({ id: 'SetUp' });

export type SetUpResponse = ResponseOf<typeof setUpResponse>;

export const openedSession = z.strictObject({ account, user }).meta({ id: 'OpenedSession' });

export type OpenedSession = ResponseOf<typeof openedSession>;

export const session = z
  .strictObject({
    account,
    user: user.nullable(),
    actor: z.strictObject({ type: z.enum(['user', 'api_key']), id: z.string(), name: z.string() }),
    scopes,
    emailEnabled: z.boolean().meta({ description: 'Whether this installation can send emails' }),
    accounts: z
      .array(
        z.strictObject({
          id: idSchema('account'),
          name: z.string(),
          role,
          suspended: z.boolean(),
        }),
      )
      .meta({ description: 'All accounts of the person, oldest membership first' }),
    operator: z.boolean().meta({ description: 'Whether the person manages all accounts' }),
    needsSecondFactor: z.boolean().meta({
      description: 'true: the person must add or prove a second factor before anything else',
    }),
    runsInstallation: z.boolean().meta({
      description:
        'Whether this is the first account of the installation. Its admins manage the keys of probes',
    }),
  })
  .meta({ id: 'Session', description: '`user` is null for an API key' });

export type SessionResponse = ResponseOf<typeof session>;

const browserSession = z
  .strictObject({
    id: idSchema('session'),
    device: z.string().meta({
      description: 'Browser and operating system, like `Firefox on Linux`; else `Unknown device`',
    }),
    userAgent: z.string().nullable(),
    ip: z.string().nullable().meta({
      description: 'The IP address that the person signed in from',
    }),
    createdAt: instant,
    lastSeenAt: instant,
    /** When the session ends at the latest. */
    endsAt: instant,
    /** True for the session of this request. */
    isCurrent: z.boolean(),
  })
  .meta({ id: 'BrowserSession', description: 'A session of the person who sends the request' });

export type BrowserSession = ResponseOf<typeof browserSession>;

export const sessionPage = pageSchema(browserSession);

const auditEvent = z
  .strictObject({
    id: idSchema('audit'),
    at: instant,
    actor: z.strictObject({
      type: z.enum(['user', 'api_key', 'system']),
      id: z.string(),
      name: z.string(),
    }),
    action: z.string(),
    resourceType: z.string(),
    resourceId: z.string().nullable(),
    before: json,
    after: json,
    requestId: z.string(),
    ip: z.string().nullable(),
  })
  .meta({ id: 'AuditEvent', description: 'With the changed fields; secrets are masked' });

export type AuditResponse = ResponseOf<typeof auditEvent>;

export const auditPage = pageSchema(auditEvent);

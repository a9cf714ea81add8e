/** Setup, sessions, the account, its people and keys as /v1 returns them (docs/api.md). */
import { z } from 'zod';
import { REGISTRATION_MODES } from '../../contracts/operations/registration';
import { PLANS } from '../../domain/accounts/plan';
import { MEMBER_ROLES, SCOPES } from '../../domain/accounts/roles';
import { serviceFacts } from './operator';
import { idSchema, instant, maybeInstant, pageSchema, type ResponseOf } from './parts';

const account = z
  .strictObject({
    id: idSchema('account'),
    name: z.string().meta({ description: 'Name of the account', example: 'Acme' }),
    plan: z.enum(PLANS).describe('Plan of the account'),
    suspended: z
      .strictObject({
        reason: z.string().describe('Reason, as the operator wrote it'),
        since: instant.describe('When the account was suspended'),
      })
      .nullable()
      .meta({
        description: 'Set while the account is suspended. Nothing is checked then',
      }),
    createdAt: instant.describe('When the account was created'),
  })
  .meta({ id: 'Account' });

export type AccountResponse = ResponseOf<typeof account>;

/** Numbers for each kind of object that a plan limits. */
const amounts = {
  monitors: z.int().meta({ description: 'Monitors of every type', example: 12 }),
  scenarios: z.int().meta({ description: 'Scenarios', example: 3 }),
  members: z.int().meta({ description: 'Members', example: 5 }),
};

export const accountDetail = z
  .strictObject({
    ...account.shape,
    bounds: z
      .strictObject({
        ...amounts,
        minIntervalSeconds: z
          .int()
          .meta({ description: 'Shortest allowed interval of a check in seconds', example: 10 }),
        retentionDays: z.int().meta({
          description:
            'Days for which results are kept at most; the operator may keep them for less time',
          example: 90,
        }),
      })
      .describe('Limits of the plan'),
    defaultProfile: z.string().nullable().meta({
      description: 'Key of the profile of new monitors and scenarios that name none; null: none',
    }),
    requireSecondFactor: z.boolean().meta({
      description: 'Whether members must prove a second factor to sign in',
    }),
    usage: z
      .strictObject({ ...amounts, apiKeys: z.int().meta({ description: 'API keys', example: 2 }) })
      .describe('Current numbers'),
    rateLimits: z
      .strictObject({
        perMinute: z.int().describe('Requests per minute'),
        perDay: z.int().describe('Requests per day in UTC'),
      })
      .nullable()
      .describe('Limits per API key; null: the plan has no keys'),
    service: serviceFacts
      .nullable()
      .optional()
      .meta({ description: 'Only with `include=service`; null for everyone except owners' }),
  })
  .meta({ id: 'AccountDetail', description: 'With limits of its plan and current usage' });

export type AccountDetail = ResponseOf<typeof accountDetail>;

const role = z.enum(MEMBER_ROLES);

const userFields = {
  id: idSchema('user'),
  email: z.string().meta({ description: 'Email address', example: 'ann@example.com' }),
  role: role.describe('Role in the account'),
  createdAt: instant.describe('When the person joined the account'),
};

const user = z.strictObject(userFields).meta({ id: 'User' });

export type UserResponse = ResponseOf<typeof user>;

const memberFields = {
  ...userFields,
  state: z.enum(['active', 'invited']).describe('invited: the person has not accepted yet'),
};

export const member = z
  .strictObject(memberFields)
  .meta({ id: 'Member', description: '`invited` until the person accepts' });

export type MemberResponse = ResponseOf<typeof member>;

export const memberPage = pageSchema(member);

/** True if the link was sent to the person by email. False if the response contains the link. */
const mailed = z.boolean();

export const newMember = z
  .strictObject({
    ...memberFields,
    mailed: mailed.meta({ description: 'Whether the link was sent by email', example: true }),
    setPasswordUrl: z
      .string()
      .nullable()
      .describe('Link with which the person joins; null: it was sent by email'),
  })
  .meta({ id: 'NewMember', description: 'The link is null if it was sent by email' });

export type NewMemberResponse = ResponseOf<typeof newMember>;

const maker = idSchema('user')
  .nullable()
  .meta({ description: 'The person with whose removal it ends; null: unknown' });

const invitationFields = {
  id: idSchema('invitation'),
  email: z.string().meta({ description: 'Invited email address', example: 'ann@example.com' }),
  role: role.describe('Role that the person will have'),
  createdAt: instant.describe('When the person was invited'),
  createdBy: maker,
  expiresAt: instant.describe('When the link expires'),
};

export const invitation = z.strictObject(invitationFields).meta({ id: 'Invitation' });

export type InvitationResponse = ResponseOf<typeof invitation>;

export const invitationPage = pageSchema(invitation);

export const newInvitation = z
  .strictObject({
    ...invitationFields,
    mailed: mailed.meta({ description: 'Whether the link was sent by email', example: true }),
    acceptUrl: z
      .string()
      .nullable()
      .describe('Link with which the person joins; null: it was sent by email'),
  })
  .meta({ id: 'NewInvitation', description: 'The link is null if it was sent by email' });

export type NewInvitationResponse = ResponseOf<typeof newInvitation>;

const scopes = z.array(z.enum(SCOPES));

const keyFields = {
  id: idSchema('apiKey'),
  name: z.string().meta({ description: 'Name of the key', example: 'deploy' }),
  prefix: z
    .string()
    .meta({ description: 'First characters of the key, to recognize it', example: 'kw_3fQx' }),
  last4: z.string().meta({ description: 'Last four characters of the key', example: '9ZtB' }),
  scopes: scopes.describe(
    'Scopes of the key. admin includes write, write includes run, run includes read',
  ),
  operator: z.boolean().meta({ description: 'Whether the key may manage all accounts' }),
  expiresAt: maybeInstant.describe('When the key expires; null: never'),
  revokedAt: maybeInstant.describe('When the key was revoked; null: it was not'),
  createdAt: instant.describe('When the key was created'),
  createdBy: maker.meta({ example: 'usr_01arz3ndektsv4rrffq69g5fav' }),
  lastUsedAt: maybeInstant.describe('When the key was last used; null: never'),
};

export const newApiKey = z
  .strictObject({
    ...keyFields,
    key: z.string().meta({ description: 'The API key', example: 'kw_…' }),
  })
  .meta({ id: 'NewApiKey', description: 'Only this response contains `key`' });

export type NewApiKeyResponse = ResponseOf<typeof newApiKey>;

export const apiKey = z.strictObject(keyFields).meta({ id: 'ApiKey' });

export type ApiKeyResponse = ResponseOf<typeof apiKey>;
export const apiKeyPage = pageSchema(apiKey);

export const setUpRequired = z.strictObject({
  required: z.boolean().describe('true: the installation has no account yet'),
  registration: z.enum(REGISTRATION_MODES).meta({
    description:
      'Who may create an account. off: only operators; invite: people with a link from an operator; open: everyone with a confirmed email address',
  }),
});

export const setUpResponse = z
  .strictObject({
    account: account.describe('The first account'),
    user: user.describe('Its owner'),
    apiKey: newApiKey.describe('Its first API key, with the scope admin'),
  })
  .meta({ id: 'SetUp' });

export type SetUpResponse = ResponseOf<typeof setUpResponse>;

export const openedSession = z
  .strictObject({
    account: account.describe('Account that the session is for'),
    user: user.describe('Person who signed in'),
  })
  .meta({ id: 'OpenedSession' });

export type OpenedSession = ResponseOf<typeof openedSession>;

export const session = z
  .strictObject({
    account: account.describe('Account of the session or key'),
    user: user.nullable().describe('Person who is signed in; null for an API key'),
    actor: z
      .strictObject({
        type: z.enum(['user', 'api_key']).describe('Whether a person or an API key sends it'),
        id: z.string().meta({
          description: 'Id of the person or key',
          example: 'usr_01arz3ndektsv4rrffq69g5fav',
        }),
        name: z.string().meta({
          description: 'Email address of the person, or name of the key',
          example: 'ann@example.com',
        }),
      })
      .describe('Who sends the request, as in the audit trail'),
    scopes: scopes.describe('What the session or key may do'),
    emailEnabled: z
      .boolean()
      .meta({ description: 'Whether this installation can send emails', example: true }),
    accounts: z
      .array(
        z.strictObject({
          id: idSchema('account'),
          name: z.string().meta({ description: 'Name of the account', example: 'Acme' }),
          role: role.describe('Role of the person in the account'),
          suspended: z.boolean().describe('Whether the account is suspended'),
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
      example: 'Firefox on Linux',
    }),
    userAgent: z
      .string()
      .nullable()
      .describe('Header `User-Agent` of the sign-in; null: none was sent'),
    ip: z.string().nullable().meta({
      description: 'The IP address that the person signed in from',
    }),
    createdAt: instant.describe('When the person signed in'),
    lastSeenAt: instant.describe('When the session was last used'),
    endsAt: instant.describe('When the session ends at the latest'),
    isCurrent: z
      .boolean()
      .meta({ description: 'true: the session of this request', example: true }),
    staySignedIn: z.boolean().meta({
      description: 'true: the person chose to stay signed in on this device',
      example: false,
    }),
  })
  .meta({ id: 'BrowserSession', description: 'A session of the person who sends the request' });

export type BrowserSession = ResponseOf<typeof browserSession>;

export const sessionPage = pageSchema(browserSession);

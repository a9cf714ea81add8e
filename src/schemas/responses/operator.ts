/** Responses for operators: accounts, and facts about the installation. */
import { z } from 'zod';
import { PLANS } from '../../domain/accounts/plan';
import { idSchema, instant, maybeInstant, pageSchema, type ResponseOf } from './parts';

const counts = {
  monitors: z.int().meta({ description: 'Monitors of every type', example: 12 }),
  scenarios: z.int().meta({ description: 'Scenarios', example: 3 }),
  members: z.int().meta({ description: 'Members', example: 5 }),
};

const fields = {
  id: idSchema('account'),
  name: z.string().meta({ description: 'Name of the account', example: 'Acme' }),
  plan: z.enum(PLANS).describe('Plan of the account'),
  state: z.enum(['active', 'suspended', 'deleting']).meta({
    description: 'deleting: the account no longer exists for its people; its data is being deleted',
  }),
  suspended: z
    .strictObject({
      reason: z.string().describe('Reason that is shown to its people'),
      since: instant.describe('When the account was suspended'),
    })
    .nullable()
    .describe('Set while the account is suspended'),
  isFirst: z.boolean().meta({
    description: 'true: the account of the first set-up, which cannot be suspended or deleted',
  }),
  bounds: z.strictObject(counts).meta({ description: 'Limits of the plan' }),
  usage: z.strictObject(counts).meta({
    description: 'Current numbers. Objects above a limit stay, but none can be added',
  }),
  createdAt: instant.describe('When the account was created'),
};

export const operatedAccount = z.strictObject(fields).meta({ id: 'OperatedAccount' });

export type OperatedAccountResponse = ResponseOf<typeof operatedAccount>;

export const operatedAccountPage = pageSchema(operatedAccount);

export const newOperatedAccount = z
  .strictObject({
    ...fields,
    owner: z
      .strictObject({
        email: z
          .string()
          .meta({ description: 'Email address of the owner', example: 'ann@example.com' }),
        mailed: z
          .boolean()
          .meta({ description: 'Whether the link was sent by email', example: true }),
        acceptUrl: z.string().nullable().meta({ description: 'null: the link was sent by email' }),
      })
      .describe('Invitation of the owner'),
  })
  .meta({
    id: 'NewOperatedAccount',
    description: 'The new account, and the invitation of its owner',
  });

export type NewOperatedAccountResponse = ResponseOf<typeof newOperatedAccount>;

export const registrationInvitation = z
  .strictObject({
    email: z.string().meta({ description: 'Invited email address', example: 'ann@example.com' }),
    expiresAt: instant.describe('When the link expires'),
    mailed: z.boolean().meta({ description: 'Whether the link was sent by email', example: true }),
    registerUrl: z
      .string()
      .nullable()
      .describe('Link with which the person creates an account; null: it was sent by email'),
  })
  .meta({ id: 'RegistrationInvitation', description: 'The link is null if it was sent by email' });

export type RegistrationInvitationResponse = ResponseOf<typeof registrationInvitation>;

const watchdogFacts = z
  .strictObject({
    url: z.string().meta({ description: 'URL that gets the pings, with secret parts masked' }),
    everySeconds: z.int().describe('Seconds between two pings'),
    requires: z
      .array(z.string())
      .describe('Parts that must work, so that a ping is sent, like `checks`'),
    state: z.enum(['waiting', 'healthy', 'failing', 'unreported']).meta({
      description:
        'waiting: no report yet; failing: the canary fails; unreported: the receiver does not accept the reports',
    }),
    reason: z
      .string()
      .nullable()
      .describe('Why the state is failing or unreported; otherwise null'),
    since: maybeInstant.describe('Since when the state has not changed; null: no report yet'),
    lastPingAt: maybeInstant.describe('When the receiver last accepted a ping; null: never'),
  })
  .meta({ id: 'WatchdogFacts' });

export type WatchdogFacts = ResponseOf<typeof watchdogFacts>;

export const serviceFacts = z
  .strictObject({
    version: z.string().describe('Version of Keepwatch'),
    nodeVersion: z.string().describe('Version of Node.js'),
    database: z
      .strictObject({
        kind: z.enum(['embedded', 'mongodb']).describe('embedded: it runs inside Keepwatch'),
        version: z.string().describe('Version of the database'),
      })
      .nullable()
      .describe('The database'),
    temporal: z
      .strictObject({
        version: z.string().describe('Version of Temporal'),
        persistence: z.string().nullable().describe('Database of Temporal; null if unknown'),
      })
      .nullable()
      .describe('The Temporal server'),
    temporalAddress: z.string().describe('Host and port at which Keepwatch reaches Temporal'),
    publicUrl: z.string().meta({ description: 'KEEPWATCH_PUBLIC_URL' }),
    dataFolder: z
      .string()
      .nullable()
      .describe('Folder of the embedded database; null: none is used'),
    watchdog: watchdogFacts
      .nullable()
      .meta({ description: 'null: KEEPWATCH_WATCHDOG_URL is empty' }),
  })
  .meta({
    id: 'ServiceFacts',
    description: '`temporal` and `database` are null while they do not respond',
  });

export type ServiceFacts = ResponseOf<typeof serviceFacts>;

/** Accounts as their operators see them. */
import { z } from 'zod';
import { PLANS } from '../../domain/accounts/plan';
import { idSchema, instant, pageSchema, type ResponseOf } from './parts';

const counts = { monitors: z.int(), scenarios: z.int(), members: z.int() };

const fields = {
  id: idSchema('account'),
  name: z.string(),
  plan: z.enum(PLANS),
  state: z.enum(['active', 'suspended', 'deleting']).meta({
    description: 'deleting: the account no longer exists for its people; its data is being deleted',
  }),
  suspended: z.strictObject({ reason: z.string(), since: instant }).nullable(),
  isFirst: z.boolean().meta({
    description: 'true: the account of the first set-up, which cannot be suspended or deleted',
  }),
  bounds: z.strictObject(counts).meta({ description: 'Limits of the plan' }),
  usage: z.strictObject(counts).meta({
    description: 'Current numbers. Objects above a limit stay, but none can be added',
  }),
  createdAt: instant,
};

export const operatedAccount = z.strictObject(fields).meta({ id: 'OperatedAccount' });

export type OperatedAccountResponse = ResponseOf<typeof operatedAccount>;

export const operatedAccountPage = pageSchema(operatedAccount);

export const newOperatedAccount = z
  .strictObject({
    ...fields,
    owner: z.strictObject({
      email: z.string(),
      mailed: z.boolean(),
      acceptUrl: z.string().nullable().meta({ description: 'null: the link was sent by email' }),
    }),
  })
  .meta({
    id: 'NewOperatedAccount',
    description: 'The new account, and the invitation of its owner',
  });

export type NewOperatedAccountResponse = ResponseOf<typeof newOperatedAccount>;

export const registrationInvitation = z
  .strictObject({
    email: z.string(),
    expiresAt: instant,
    mailed: z.boolean(),
    registerUrl: z.string().nullable(),
  })
  .meta({ id: 'RegistrationInvitation', description: 'The link is null if it was sent by email' });

export type RegistrationInvitationResponse = ResponseOf<typeof registrationInvitation>;

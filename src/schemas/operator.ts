/** Bodies of operators' routes, and of registration (docs/api/accounts.md). */
import { z } from 'zod';
import { PLANS } from '../domain/accounts/plan';
import { emailField, newPasswordField, tokenField } from './account';
import { lineField, nameField } from './fields';
import type { ShapeProblem } from './issues';
import { readRecord } from './loose';

const planField = z.enum(PLANS);
const reasonField = lineField.min(1).max(500).meta({
  description: 'Shown to the people of the account, and in every refusal',
});

/** The body that creates an account. The owner gets an invitation. */
export const operatedAccountBody = z.strictObject({
  name: nameField,
  plan: planField.optional().meta({ description: 'Default: KEEPWATCH_DEFAULT_PLAN' }),
  ownerEmail: emailField.describe('Email address to which the invitation is sent'),
});

export type OperatedAccountBody = z.output<typeof operatedAccountBody>;

export const operatedAccountChange = {
  shape: z.strictObject({
    name: nameField.optional(),
    plan: planField.optional().describe('New plan'),
    suspended: z
      .strictObject({ reason: reasonField })
      .nullable()
      .optional()
      .meta({ description: 'null: ends the suspension' }),
  }),
  findProblems: (body: unknown): readonly ShapeProblem[] =>
    Object.keys(readRecord(body)).length > 0
      ? []
      : [{ path: '', code: 'required', message: 'must contain name, plan or suspended' }],
};

export type OperatedAccountChange = z.output<typeof operatedAccountChange.shape>;

export const registrationInvitationBody = z.strictObject({
  email: emailField.describe('Email address to which the link is sent'),
});

export const registrationBody = z.strictObject({
  email: emailField.describe('Email address to which the link is sent'),
  accountName: nameField,
});

export type RegistrationBody = z.output<typeof registrationBody>;

/**
 * The body that is sent from the link of a registration. The password is the person's existing password, or the first
 * password of a new person.
 */
export const confirmationBody = z.strictObject({
  token: tokenField.describe('Token of the link'),
  accountName: nameField.optional().meta({
    description: 'Required with a link from an operator, which names no account',
  }),
  password: newPasswordField.optional().meta({
    description: 'Not needed while signed in with the email address of the link',
  }),
});

export type ConfirmationBody = z.output<typeof confirmationBody>;

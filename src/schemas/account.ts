/** Bodies and queries of setup, sessions, people, keys and the audit trail (docs/api.md). */
import { z } from 'zod';
import { MEMBER_ROLES, SCOPES } from '../domain/accounts/roles';
import { isCommonPassword } from '../domain/accounts/weak-password';
import { nameField, profileField } from './fields';
import type { ShapeProblem } from './issues';
import { readRecord } from './loose';
import { idFilter, inOrder, instantField, pageQuery, rangeFields } from './queries';
import { staySignedInField } from './sign-in/bodies';

export const emailField = z
  .email()
  .max(254)
  .transform((email) => email.toLowerCase());
const PASSWORD_MIN = 12;
const PASSWORD_MAX = 256;
/** A new password, which must follow the rules for new passwords. Fields for existing passwords accept any text. */
export const newPasswordField = z
  .string()
  .min(PASSWORD_MIN)
  .max(PASSWORD_MAX)
  .refine(
    (password) => !isCommonPassword(password),
    'is too common. Try a passphrase of four unrelated words',
  );
const givenPasswordField = z.string().min(1).max(PASSWORD_MAX);
/** The token of a link. */
export const tokenField = z.string().min(1).max(200);
const roleField = z.enum(MEMBER_ROLES);

export const setupBody = z.strictObject({
  setupToken: z
    .string()
    .min(1)
    .max(200)
    .describe('Token that the server prints at the start, or KEEPWATCH_SETUP_TOKEN'),
  accountName: nameField,
  email: emailField.describe('Email address of the owner'),
  password: newPasswordField.describe('Password of the owner'),
});

export type SetupBody = z.output<typeof setupBody>;

export const sessionBody = z.strictObject({
  email: emailField.describe('Email address'),
  password: givenPasswordField.describe('Password'),
  staySignedIn: staySignedInField,
});

export type SessionBody = z.output<typeof sessionBody>;

export const accountBody = {
  shape: z.strictObject({
    name: nameField.optional(),
    defaultProfile: profileField.meta({
      description:
        'Key of the profile that new monitors and scenarios get if they name none; null: no profile',
    }),
    requireSecondFactor: z.boolean().optional().meta({
      description:
        'true: members need a second factor. Only a person who has proved one can turn this on',
    }),
  }),
  findProblems: (body: unknown): readonly ShapeProblem[] =>
    Object.keys(readRecord(body)).length > 0
      ? []
      : [
          {
            path: '',
            code: 'required',
            message: 'must contain name, defaultProfile or requireSecondFactor',
          },
        ],
};

export type AccountBody = z.output<typeof accountBody.shape>;

/** The query of the account. `include=service` adds facts about the installation, for owners. */
export const accountQuery = z.strictObject({
  include: z.literal('service').optional().meta({
    description:
      'service: adds servers, versions and the data folder; null for everyone except owners. Default: none',
  }),
});

/**
 * The query of regions. `include=backlog` adds how many checks wait for the probes of each region. `include=load` adds
 * how many checks of the account each region must make per minute.
 */
export const regionQuery = z.strictObject({
  include: z
    .string()
    .regex(/^(?:backlog|load)(?:,(?:backlog|load))*$/, 'must be backlog, load or both')
    .transform((text) => new Set(text.split(',')))
    .optional()
    .meta({
      description:
        '`backlog` adds how many checks wait for the probes, `load` how many checks of the account are due per minute; both, separated by a comma. Default: none',
    }),
});

/** The body that creates a member or an invitation. */
export const memberBody = z.strictObject({
  email: emailField.describe('Email address of the person'),
  role: roleField.describe('Role in the account'),
});

export type MemberBody = z.output<typeof memberBody>;

export const roleBody = z.strictObject({ role: roleField.describe('New role in the account') });

/** The body that is sent from an invitation link, or from a link to set a password. */
export const linkBody = z.strictObject({
  token: tokenField.describe('Token of the link'),
  password: newPasswordField.describe('New password of the person'),
});

export type LinkBody = z.output<typeof linkBody>;

/**
 * The body that is sent from an invitation link. A person who is signed in with the invited email address needs no password.
 */
export const acceptBody = z.strictObject({
  token: tokenField.describe('Token of the link'),
  password: newPasswordField
    .optional()
    .describe('New password; not needed while signed in with the invited email address'),
});

export type AcceptBody = z.output<typeof acceptBody>;

export const switchBody = z.strictObject({
  accountId: z.string().min(1).max(100).describe('Id of the account that the session continues in'),
});

export const passwordBody = z.strictObject({
  currentPassword: givenPasswordField.describe('Current password'),
  newPassword: newPasswordField.describe('New password'),
});

export type PasswordBody = z.output<typeof passwordBody>;

export const resetRequestBody = z.strictObject({
  email: emailField.describe('Email address to which the link is sent'),
});

export const apiKeyBody = z.strictObject({
  name: nameField,
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .max(SCOPES.length)
    .transform((scopes) => [...new Set(scopes)])
    .default(['read'])
    .describe('Scopes of the key. admin includes write, write includes run, run includes read'),
  operator: z.boolean().default(false).meta({
    description: 'true: the key may also manage all accounts. Only signed-in operators may set it',
  }),
  expiresAt: instantField.nullable().default(null).describe('When the key expires; null: never'),
});

export type ApiKeyBody = z.output<typeof apiKeyBody>;

export const auditQuery = inOrder(
  z.strictObject({
    ...pageQuery.shape,
    ...rangeFields({
      from: 'Only events at this time or later',
      to: 'Only events before this time',
    }),
    actor: idFilter('Only changes by this person or key, by its id'),
    action: idFilter('Only this action, such as `monitor.update`'),
    resourceId: idFilter('Only changes of this object, by its id'),
  }),
);

/** Bodies and queries of sign-in: identity providers, second factors and passkeys (docs/api/accounts.md). */
import { z } from 'zod';
import { nameField } from '../fields';

const PASSWORD_MAX = 256;
const TOKEN_MAX = 200;
const URL_MAX = 2_048;
const CREDENTIAL_MAX = 2_048;

/** The token of a step of a sign-in. It comes from the response to the previous step. */
const stepToken = z.string().min(1).max(TOKEN_MAX).describe('Token of the previous step');

const credential = z
  .looseObject({ id: z.string().min(1).max(CREDENTIAL_MAX).describe('Id of the passkey') })
  .meta({ description: 'The result of `navigator.credentials`, in JSON (`toJSON()`)' });

const passkeyProof = z.strictObject({
  token: stepToken.describe('Token of the previous step'),
  response: credential.describe('Response of the authenticator'),
});

/** The response of an authenticator, and the token of its challenge. */
export type PasskeyProof = z.output<typeof passkeyProof>;

const factorFields = {
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, 'must be the six digits of your authenticator app')
    .optional()
    .describe('Six digits of the authenticator app'),
  recoveryCode: z
    .string()
    .trim()
    .min(1)
    .max(50)
    .optional()
    .describe('A recovery code. Each works once'),
  passkey: passkeyProof.optional().describe('A passkey, with the token of its challenge'),
};

/** The proof of a second factor. Exactly one of the fields is set. */
export interface FactorProof {
  readonly code?: string | undefined;
  readonly recoveryCode?: string | undefined;
  readonly passkey?: PasskeyProof | undefined;
}

function isOneOf(names: readonly string[]) {
  return (body: Readonly<Record<string, unknown>>): boolean =>
    names.filter((name) => body[name] !== undefined).length === 1;
}

const FACTORS = ['code', 'recoveryCode', 'passkey'];

export const secondFactorBody = z
  .strictObject({ token: stepToken.describe('Token of the first step'), ...factorFields })
  .refine(isOneOf(FACTORS), 'must contain one of code, recoveryCode and passkey');

export const proofBody = z
  .strictObject({
    password: z.string().min(1).max(PASSWORD_MAX).optional().describe('Password'),
    ...factorFields,
  })
  .refine(
    isOneOf(['password', ...FACTORS]),
    'must contain one of password, code, recoveryCode and passkey',
  );

export type ProofBody = z.output<typeof proofBody>;

export const passkeyOptionsBody = z.strictObject({
  token: stepToken.optional().meta({
    description: 'Token of `secondFactor`. With it, the options name the passkeys of the person',
  }),
});

/** The choice to stay signed in, in the body of a request that proves the first factor. */
export const staySignedInField = z.boolean().default(false).meta({
  description:
    'true: the session ends after 7 days without use and after 30 days. Default: after 12 hours without use and after 7 days',
});

export const passkeySignInBody = passkeyProof.extend({ staySignedIn: staySignedInField });

export type PasskeySignInBody = z.output<typeof passkeySignInBody>;

export const codeBody = z.strictObject({
  token: stepToken.describe('Token of the previous step'),
  code: z
    .string()
    .trim()
    .regex(/^\d{6}$/, 'must be the six digits of your authenticator app')
    .describe('Six digits of the authenticator app'),
});

export const newPasskeyBody = z.strictObject({
  token: stepToken.describe('Token of the challenge'),
  response: credential,
  name: nameField,
});

export const passkeyNameBody = z.strictObject({ name: nameField });

export const identityBody = z.strictObject({
  provider: z.string().min(1).max(50).meta({ description: 'The id of the provider' }),
});

export const ownerLinkBody = z.strictObject({ token: stepToken.describe('Token of the link') });

/**
 * The query of the request that starts a sign-in. `next` is the page to show after sign-in. A URL of another site is
 * replaced by the overview.
 */
export const startQuery = z.strictObject({
  next: z.string().max(URL_MAX).optional().meta({
    description: 'The path of the page to show afterwards. Default: the start page',
  }),
  staySignedIn: z.literal('true').optional().meta({
    description:
      'true: the session lasts longer, as with `POST /v1/session`. Ignored in links on other sites',
  }),
});

/** The query of a callback. Identity providers may add their own parameters. */
export const callbackQuery = z.looseObject({});

/** The form of a back-channel logout (OpenID Connect Back-Channel Logout 1.0 §2.5). */
export const logoutForm = z.looseObject({ logout_token: z.string().min(1).max(16_384) });

export const memberRemovalQuery = z.strictObject({
  apiKeys: z.enum(['move', 'end']).default('end').meta({
    description:
      'What happens to the API keys of the member. move: they move to an owner; end: they are revoked',
  }),
});

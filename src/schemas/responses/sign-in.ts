/** Sign-in, second factors and passkeys as /v1 returns them (docs/api/accounts.md). */
import { z } from 'zod';
import { FACTOR_METHODS } from '../../domain/accounts/second-factor-rules';
import { PASSWORD_POLICIES } from '../../domain/accounts/sign-in-provider';
import { instant, json, maybeInstant, type ResponseOf } from './parts';

const provider = z.strictObject({
  id: z.string().meta({ description: 'Id of the provider in URLs', example: 'google' }),
  name: z.string().meta({ description: 'Name on the button', example: 'Google' }),
  startUrl: z.string().meta({
    description: 'Path of the page that leads to the provider',
    example: '/auth/google/start',
  }),
});

export const signInOptions = z
  .strictObject({
    passwords: z
      .enum(PASSWORD_POLICIES)
      .describe('Who may sign in with a password. owners: only owners of an account'),
    providers: z.array(provider).describe('Identity providers that are configured'),
    passkeys: z.boolean().meta({ description: 'Whether browsers allow passkeys at this URL' }),
  })
  .meta({ id: 'SignInOptions' });

export type SignInOptions = ResponseOf<typeof signInOptions>;

export const secondFactorAsked = z
  .strictObject({
    secondFactor: z
      .strictObject({
        token: z
          .string()
          .meta({ description: 'For `POST /v1/session/second-factor`', example: 'TOKEN' }),
        methods: z.array(z.enum(FACTOR_METHODS)).describe('Second factors that the person has'),
        expiresAt: instant.describe('When the token expires'),
      })
      .describe('The next step of the sign-in'),
  })
  .meta({ id: 'SecondFactorAsked', description: 'The first factor is proved; no session yet' });

export type SecondFactorAsked = ResponseOf<typeof secondFactorAsked>;

export const passkeyOptions = z
  .strictObject({
    token: z.string().meta({
      description: 'Send it back with the response of the authenticator',
      example: 'TOKEN',
    }),
    options: json.meta({ description: 'For `navigator.credentials`, in JSON' }),
  })
  .meta({ id: 'PasskeyOptions' });

export const passkey = z
  .strictObject({
    id: z.string().meta({ description: 'Id of the passkey', example: 'PASSKEY_ID' }),
    name: z.string().meta({ description: 'Name that the person gave it', example: 'Laptop' }),
    createdAt: instant.describe('When the passkey was added'),
    lastUsedAt: maybeInstant.describe('When it was last used; null: never'),
  })
  .meta({ id: 'Passkey' });

export type PasskeyResponse = ResponseOf<typeof passkey>;

const identity = z.strictObject({
  provider: z
    .string()
    .nullable()
    .meta({ description: 'null: the provider is no longer configured' }),
  name: z
    .string()
    .meta({ description: 'Name of the person at the provider', example: 'ann@example.com' }),
  createdAt: instant.describe('When the identity was connected'),
  lastUsedAt: instant.describe('When the person last signed in with it'),
});

export const factors = z
  .strictObject({
    hasPassword: z
      .boolean()
      .meta({ description: 'Whether you can sign in with a password', example: true }),
    codeApp: z
      .strictObject({ createdAt: instant.describe('When the app was added') })
      .nullable()
      .meta({ description: 'The authenticator app; null: none' }),
    recoveryCodesLeft: z
      .int()
      .meta({ description: 'Number of unused recovery codes', example: 10 }),
    passkeys: z.array(passkey).describe('Passkeys of the person'),
    passkeysAvailable: z
      .boolean()
      .describe('Whether browsers allow passkeys at the URL of this installation'),
    identities: z.array(identity).describe('Identities at identity providers'),
    isSecondFactorRequired: z
      .boolean()
      .meta({ description: 'Whether the account requires a second factor' }),
    provedUntil: maybeInstant.meta({
      description: 'Until when factors can be changed without `POST /v1/session/proof`',
    }),
  })
  .meta({ id: 'SignInFactors' });

export type FactorsResponse = ResponseOf<typeof factors>;

export const newCodeApp = z
  .strictObject({
    token: z
      .string()
      .meta({ description: 'For `POST /v1/session/factors/totp/confirm`', example: 'TOKEN' }),
    secret: z.string().meta({ description: 'In base 32, for manual entry', example: 'SECRET' }),
    uri: z.string().meta({
      description: '`otpauth://` URI, for a QR code',
      example: 'otpauth://totp/Keepwatch:ann@example.com?secret=SECRET',
    }),
    expiresAt: instant.describe('When the token expires'),
  })
  .meta({ id: 'NewCodeApp' });

export type NewCodeApp = ResponseOf<typeof newCodeApp>;

const codes = z.array(z.string());

export const recoveryCodes = z
  .strictObject({ recoveryCodes: codes.describe('New codes, which replace all earlier ones') })
  .meta({
    id: 'RecoveryCodes',
    description: 'Only this response contains the codes. Each works once',
  });

const firstCodes = codes.nullable().meta({
  description: 'Only this response contains the codes; null: you already have recovery codes',
});

export const addedCodeApp = z
  .strictObject({
    createdAt: instant.describe('When the app was added'),
    recoveryCodes: firstCodes,
  })
  .meta({ id: 'AddedCodeApp' });

export type AddedCodeApp = ResponseOf<typeof addedCodeApp>;

export const addedPasskey = z
  .strictObject({ passkey: passkey.describe('The new passkey'), recoveryCodes: firstCodes })
  .meta({ id: 'AddedPasskey' });

export type AddedPasskey = ResponseOf<typeof addedPasskey>;

export const providerRedirect = z
  .strictObject({
    url: z.string().meta({
      description: 'URL of the provider, to open in the browser',
      example: 'https://accounts.google.com/o/oauth2/v2/auth?state=STATE',
    }),
  })
  .meta({ id: 'ProviderRedirect' });

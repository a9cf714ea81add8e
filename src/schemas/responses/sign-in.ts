/** Sign-in, second factors and passkeys as /v1 returns them (docs/api/accounts.md). */
import { z } from 'zod';
import { FACTOR_METHODS } from '../../domain/accounts/second-factor-rules';
import { PASSWORD_POLICIES } from '../../domain/accounts/sign-in-provider';
import { instant, json, maybeInstant, type ResponseOf } from './parts';

const provider = z.strictObject({
  id: z.string(),
  name: z.string(),
  startUrl: z.string().meta({ description: 'Path of the page that leads to the provider' }),
});

export const signInOptions = z
  .strictObject({
    passwords: z.enum(PASSWORD_POLICIES),
    providers: z.array(provider),
    passkeys: z.boolean().meta({ description: 'Whether browsers allow passkeys at this URL' }),
  })
  .meta({ id: 'SignInOptions' });

export type SignInOptions = ResponseOf<typeof signInOptions>;

export const secondFactorAsked = z
  .strictObject({
    secondFactor: z.strictObject({
      token: z.string().meta({ description: 'For `POST /v1/session/second-factor`' }),
      methods: z.array(z.enum(FACTOR_METHODS)),
      expiresAt: instant,
    }),
  })
  .meta({ id: 'SecondFactorAsked', description: 'The first factor is proved; no session yet' });

export type SecondFactorAsked = ResponseOf<typeof secondFactorAsked>;

export const passkeyOptions = z
  .strictObject({
    token: z.string().meta({ description: 'Send it back with the response of the authenticator' }),
    options: json.meta({ description: 'For `navigator.credentials`, in JSON' }),
  })
  .meta({ id: 'PasskeyOptions' });

export const passkey = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    createdAt: instant,
    lastUsedAt: maybeInstant,
  })
  .meta({ id: 'Passkey' });

export type PasskeyResponse = ResponseOf<typeof passkey>;

const identity = z.strictObject({
  provider: z
    .string()
    .nullable()
    .meta({ description: 'null: the provider is no longer configured' }),
  name: z.string(),
  createdAt: instant,
  lastUsedAt: instant,
});

export const factors = z
  .strictObject({
    hasPassword: z.boolean().meta({ description: 'Whether you can sign in with a password' }),
    codeApp: z
      .strictObject({ createdAt: instant })
      .nullable()
      .meta({ description: 'The authenticator app; null: none' }),
    recoveryCodesLeft: z.int(),
    passkeys: z.array(passkey),
    passkeysAvailable: z.boolean(),
    identities: z.array(identity),
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
    token: z.string().meta({ description: 'For `POST /v1/session/factors/totp/confirm`' }),
    secret: z.string().meta({ description: 'In base 32, for manual entry' }),
    uri: z.string().meta({ description: '`otpauth://` URI, for a QR code' }),
    expiresAt: instant,
  })
  .meta({ id: 'NewCodeApp' });

export type NewCodeApp = ResponseOf<typeof newCodeApp>;

const codes = z.array(z.string());

export const recoveryCodes = z.strictObject({ recoveryCodes: codes }).meta({
  id: 'RecoveryCodes',
  description: 'Only this response contains the codes. Each works once',
});

const firstCodes = codes.nullable().meta({
  description: 'Only this response contains the codes; null: you already have recovery codes',
});

export const addedCodeApp = z
  .strictObject({ createdAt: instant, recoveryCodes: firstCodes })
  .meta({ id: 'AddedCodeApp' });

export type AddedCodeApp = ResponseOf<typeof addedCodeApp>;

export const addedPasskey = z
  .strictObject({ passkey, recoveryCodes: firstCodes })
  .meta({ id: 'AddedPasskey' });

export type AddedPasskey = ResponseOf<typeof addedPasskey>;

export const providerRedirect = z
  .strictObject({
    url: z.string().meta({ description: 'URL of the provider, to open in the browser' }),
  })
  .meta({ id: 'ProviderRedirect' });

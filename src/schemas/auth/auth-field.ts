/**
 * The authentication of requests in bodies. A new type needs a member here and in `Auth` (`src/contracts/definitions`),
 * its behaviour in `src/checks/auth`, and its fields in `src/dashboard/shared/auth`.
 */
import { z } from 'zod';
import { OAUTH_GRANTS, OAUTH_SEND_AS } from '../../contracts/definitions/auth';
import { urlField } from '../../kinds/url';
import { withoutBounds } from '../without-bounds';

const TEXT_MAX = 1_000;
const EXTRA_MAX = 20;
const SECRET_REFERENCE = /^\{\{\s*(?:secret:|\$totp:)[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\s*\}\}$/;
const SECRET_OR_NOTHING = new RegExp(`${SECRET_REFERENCE.source}|^$`);
/** The message for a credential in plain text. */
export const CREATE_SECRET =
  'must be {{secret:name}}: create a secret with keepwatch secrets set NAME or PUT /v1/secrets/{name} {"value": "…"}, and name it here';

const text = (description: string, lengthMin = 1) =>
  z
    .string()
    .min(lengthMin)
    .max(TEXT_MAX)
    .meta({ description: `${description}; may contain \`{{variables}}\`` });
const secret = (description: string) =>
  z
    .string()
    .regex(SECRET_REFERENCE, CREATE_SECRET)
    .meta({ description: `${description}, as \`{{secret:name}}\`` });

const password = z
  .string()
  .regex(SECRET_OR_NOTHING, CREATE_SECRET)
  .meta({ description: 'Password, as `{{secret:name}}`; empty: no password' });

export const authShape = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('basic').meta({ description: 'User and password, as in RFC 7617' }),
    user: text('Name without a colon', 0),
    password,
  }),
  z.strictObject({
    type: z.literal('digest').meta({ description: 'User and password, as in RFC 7616' }),
    user: text('Name without a colon', 0),
    password,
  }),
  z.strictObject({
    type: z.literal('bearer').meta({ description: 'A token, as in RFC 6750' }),
    token: secret('Token'),
  }),
  z.strictObject({
    type: z.literal('oauth2').meta({
      description:
        'A token that is fetched from `tokenUrl` (RFC 6749), cached for 80% of its lifetime and sent as a bearer token',
    }),
    grant: z
      .enum(OAUTH_GRANTS)
      .default('clientCredentials')
      .meta({ description: 'Grant of the token request; `password` needs `user` and `password`' }),
    tokenUrl: urlField.meta({
      description:
        'The only URL to which the credentials are sent. https, or http in private networks; may contain `{{variables}}`',
    }),
    clientId: text('Id of the client'),
    clientSecret: password.meta({
      description: 'Secret of the client, as `{{secret:name}}`; empty: no secret',
    }),
    scope: text('Scopes of the token, separated by spaces').optional(),
    audience: text('Audience of the token').optional(),
    user: text('User for the grant `password`').optional(),
    password: secret('Password for the grant `password`').optional(),
    sendAs: z.enum(OAUTH_SEND_AS).default('header').meta({
      description: 'How the client authenticates itself: with basic authentication, or in the body',
    }),
    extra: z
      .record(z.string().min(1).max(100), text('Value', 0))
      .refine(
        (extra) => Object.keys(extra).length <= EXTRA_MAX,
        `must have at most ${EXTRA_MAX} names`,
      )
      .meta({ description: 'Further parameters of the token request, like `resource`' })
      .optional(),
  }),
  z.strictObject({
    type: z.literal('sigv4').meta({ description: 'An AWS signature, Version 4' }),
    accessKeyId: text('Id of the access key'),
    secretAccessKey: secret('Secret access key'),
    sessionToken: secret('Session token of temporary credentials').optional(),
    region: text('Region of the service, like `eu-central-1`'),
    service: text('Name under which the service is signed, like `execute-api` or `s3`'),
  }),
  z.strictObject({
    type: z
      .literal('none')
      .meta({ description: 'The step does not use the authentication of its scenario' }),
  }),
]);

export const authField = authShape
  .nullable()
  .meta({ description: 'Authentication of the request, instead of an Authorization header' })
  .default(null);

/** The authentication in responses. */
export const savedAuth = withoutBounds(authShape).meta({ id: 'SavedAuth' }).nullable();

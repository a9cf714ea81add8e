/**
 * How a request proves who sends it, as bodies have it: one shape for monitors, steps and scenarios. A new type is a
 * member here and in `Auth` (`src/contracts/definition.ts`), what it does in `src/checks/auth`, and its fields in the
 * dashboard's `src/dashboard/shared/auth`.
 */
import { z } from 'zod';
import { withoutBounds } from '../without-bounds';

const TEXT_MAX = 1_000;
const SECRET_REFERENCE = /^\{\{\s*secret:[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\s*\}\}$/;
const SECRET_OR_NOTHING = new RegExp(`${SECRET_REFERENCE.source}|^$`);
const CREATE_IT =
  'must be {{secret:name}}: create a secret with PUT /v1/secrets/{name} {"value": "…"}, and name it here';

const text = (description: string, lengthMin = 1) =>
  z
    .string()
    .min(lengthMin)
    .max(TEXT_MAX)
    .meta({ description: `${description}; may hold \`{{variables}}\`` });
const secret = (description: string) =>
  z
    .string()
    .regex(SECRET_REFERENCE, CREATE_IT)
    .meta({ description: `${description}, as \`{{secret:name}}\`` });

const password = z
  .string()
  .regex(SECRET_OR_NOTHING, CREATE_IT)
  .meta({ description: 'Password, as `{{secret:name}}`; empty for none' });

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
    type: z.literal('none').meta({ description: 'A step does without that of its scenario' }),
  }),
]);

export const authField = authShape
  .nullable()
  .meta({ description: 'How a request proves who sends it, in place of a header Authorization' })
  .default(null);

/** As responses have it. */
export const savedAuth = withoutBounds(authShape).meta({ id: 'SavedAuth' }).nullable();

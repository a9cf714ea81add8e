/** Parts that responses of /v1 share. */
import { z } from 'zod';
import { STATUS_OF_ERROR } from '../../contracts/error-codes';
import { ID_PREFIXES, type IdKind } from '../../domain/definitions/ids';

/** The immutable type of a response with this schema, as services return it. */
export type ResponseOf<Schema extends z.ZodType> = Immutable<z.output<Schema>>;

type Immutable<Value> = Value extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: Immutable<Value[Name]> }
    : Value;

/** An instant as RFC 3339, in UTC and with milliseconds. */
export const instant = z.iso.datetime({ precision: 3 }).meta({
  id: 'Instant',
  description: 'RFC 3339, UTC, with milliseconds',
  example: '2026-01-31T12:00:00.000Z',
});

export const maybeInstant = instant.nullable();

/** Milliseconds by a monotonic clock. null means that the phase did not happen. */
export const maybeMs = z.number().min(0).nullable();

/** Accepts any JSON value. */
export const json = z.unknown();

/** Returns the schema of an id of this type: its prefix and 26 characters. */
export function idSchema(kind: IdKind): z.ZodString {
  return z.string().regex(new RegExp(`^${ID_PREFIXES[kind]}_[0-9a-z]{26}$`));
}

/** Returns the schema of a page of a list. `nextCursor` is null on the last page. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ data: z.array(item), nextCursor: z.string().nullable() });
}

const errorCodes = Object.keys(STATUS_OF_ERROR) as [keyof typeof STATUS_OF_ERROR];

/** A problem document (RFC 9457). */
export const problem = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(errorCodes),
    requestId: z.string(),
    errors: z
      .array(z.strictObject({ path: z.string(), code: z.string(), message: z.string() }))
      .optional(),
    violatedPolicies: z.array(z.string()).optional(),
  })
  .meta({
    id: 'Problem',
    description: 'RFC 9457. Branch on `code`; `errors` names every problem of the body at once.',
  });

/** Parts that responses of /v1 share. */
import { z } from 'zod';
import { ERROR_STATUSES } from '../../contracts/error-codes';
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
  const prefix = ID_PREFIXES[kind];
  return z
    .string()
    .regex(new RegExp(`^${prefix}_[0-9a-z]{26}$`))
    .meta({
      description: `Id of the ${ID_WORDS[kind] ?? kind}`,
      example: `${prefix}_01arz3ndektsv4rrffq69g5fav`,
    });
}

/** Words for the object that an id of each type identifies. Types that are not listed use their name in the code. */
const ID_WORDS: Partial<Record<IdKind, string>> = {
  apiKey: 'API key',
  audit: 'event',
  maintenance: 'maintenance window',
  alertPolicy: 'alert policy',
  channel: 'alert channel',
  postUpdate: 'update',
  probeKey: 'probe key',
  savedView: 'saved view',
  statusPage: 'status page',
  user: 'member',
};

/** Returns the schema of a page of a list. `nextCursor` is null on the last page. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.strictObject({
    data: z.array(item).describe('The entries of this page'),
    nextCursor: z
      .string()
      .nullable()
      .describe('Value of `cursor` for the next page; null on the last page'),
  });
}

const errorCodes = Object.keys(ERROR_STATUSES) as [keyof typeof ERROR_STATUSES];

/** A problem document (RFC 9457). */
export const problem = z
  .strictObject({
    type: z.string().describe('URI of the type of problem'),
    title: z.string().describe('The type of problem in a few words'),
    status: z.int().describe('Status of the response'),
    detail: z.string().describe('What is wrong with this request, for people'),
    code: z.enum(errorCodes).describe('Stable code; see Error codes'),
    requestId: z.string().describe('Value of `X-Request-Id` of the response'),
    errors: z
      .array(
        z.strictObject({
          path: z
            .string()
            .describe('Path of the field, like `steps[1].url`; empty: the whole body'),
          code: z.string().describe('Code of the problem with this field'),
          message: z.string().describe('What is wrong with the field, for people'),
        }),
      )
      .optional()
      .describe('Every invalid field of the body or query'),
    violatedPolicies: z
      .array(z.string())
      .optional()
      .describe('With `rate_limited`: the windows of `RateLimit-Policy` whose limit is exceeded'),
  })
  .meta({
    id: 'Problem',
    description: 'RFC 9457. Branch on `code`; `errors` names every problem of the body at once.',
  });

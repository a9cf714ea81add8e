/** Query strings of lists, results, runs and uptime, and small bodies of actions. */
import { z } from 'zod';
import { DELIVERY_STATUSES } from '../contracts/alerts';
import { RESOURCE_STATES } from '../contracts/definition';
import { CHECK_STATUSES } from '../contracts/outcome';
import { HEALTHS, LIST_ORDERS, RUN_STATUSES, RUN_TRIGGERS } from '../contracts/records';
import { isId } from '../domain/definitions/ids';
import { lineField } from './fields';

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
}

/**
 * A whole number in a query string. Query strings are text, but the API reference shows the type of the parsed value.
 */
function wholeNumber(bounds: Bounds) {
  return {
    override: ({ jsonSchema }: { readonly jsonSchema: Record<string, unknown> }): void => {
      Object.assign(jsonSchema, bounds, { type: 'integer' });
      delete jsonSchema['pattern'];
    },
  };
}

function pageSize(max: number, byDefault: number) {
  return z
    .string()
    .regex(/^\d+$/, `must be a whole number from 1 to ${max}`)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= max, `must be from 1 to ${max}`)
    .default(byDefault)
    .meta(wholeNumber({ minimum: 1, maximum: max, default: byDefault }));
}

const cursorField = z.string().min(1).max(500).optional();
const regionField = z.string().min(1).max(32).optional();

/** An instant in RFC 3339, which is converted to milliseconds since the epoch. */
export const instantField = z.iso
  .datetime({ offset: true, message: 'must be an RFC 3339 time like 2026-01-31T12:00:00Z' })
  .transform((text) => Date.parse(text));

const range = { from: instantField.optional(), to: instantField.optional() };

/** Extends the schema, so that a range that ends before it starts is refused. */
export function inOrder<
  Shape extends z.ZodType<{ from?: number | undefined; to?: number | undefined }>,
>(shape: Shape): Shape {
  return shape.refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
    path: ['to'],
    message: 'must not be before from',
  });
}

/** The statuses in responses. `paused` takes precedence over `maintenance`, and `maintenance` over the health. */
export const SHOWN_STATUSES = [
  'up',
  'degraded',
  'down',
  'maintenance',
  'paused',
  'pending',
  'unknown',
] as const;

/** A list of words, separated by commas. The result is sorted and has no duplicates. */
function wordsShape<Word extends string>(words: readonly Word[]) {
  const any = words.join('|');
  return z
    .string()
    .max(200)
    .regex(
      new RegExp(`^(?:${any})(?:,(?:${any}))*$`),
      `must be one or several of ${words.join(', ')}, separated by commas`,
    )
    .transform((text) => {
      const given: readonly string[] = text.split(',');
      return words.filter((word) => given.includes(word));
    });
}

/** The filters of monitor and scenario lists. */
export const resourceFilters = {
  state: z.enum(RESOURCE_STATES).optional(),
  health: z.enum(HEALTHS).optional(),
  status: wordsShape(SHOWN_STATUSES).optional(),
  group: z
    .string()
    .max(300)
    .transform((group) => group.replace(/\/$/, ''))
    .refine((group) => group !== '', 'must not be empty')
    .optional(),
  tag: z.string().min(1).max(100).optional(),
  /** Keys of the profile, the environment or the hours of a resource. */
  profile: z.string().min(1).max(100).optional(),
  environment: z.string().min(1).max(100).optional(),
  hours: z.string().min(1).max(100).optional(),
  region: regionField,
  // The search text. The refused character occurs in no searched text, and MongoDB does not allow
  // it in patterns.
  q: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .refine((text) => !text.includes('\0'), 'must not contain a NUL character')
    .optional(),
};

export const listQuery = z.strictObject({
  ...resourceFilters,
  limit: pageSize(500, 100),
  cursor: cursorField,
  /** The optional data to include. `recent` adds the last slots of each item. */
  include: z.literal('recent').optional(),
});

const INCLUDED = ['recent', 'figures'] as const;
const CHECK_IDS_MAX = 100;

export const checkTypeField = z.enum(['monitor', 'scenario']).optional();

/** The query of the list with monitors and scenarios together. */
export const checkListQuery = z
  .strictObject({
    ...resourceFilters,
    type: checkTypeField,
    ids: z
      .string()
      .max(100 * CHECK_IDS_MAX)
      .transform((text) => [...new Set(text.split(','))])
      .refine((ids) => ids.length <= CHECK_IDS_MAX, `must be at most ${CHECK_IDS_MAX} ids`)
      .optional(),
    limit: pageSize(1_000, 100),
    cursor: cursorField,
    /** The optional data to include: one or both values, separated by a comma. */
    include: z
      .string()
      .regex(/^(?:recent|figures)(?:,(?:recent|figures))*$/, 'must be recent, figures or both')
      .transform((text) => {
        const given: readonly string[] = text.split(',');
        return INCLUDED.filter((part) => given.includes(part));
      })
      .optional(),
  })
  .refine(
    ({ ids, limit: _limit, include: _include, ...others }) =>
      ids === undefined || Object.values(others).every((value) => value === undefined),
    { path: ['ids'], message: 'cannot be combined with filters or a cursor' },
  );

/** The query of lists without filters. */
export const pageQuery = z.strictObject({ limit: pageSize(500, 100), cursor: cursorField });

const orderField = z
  .enum(LIST_ORDERS)
  .optional()
  .meta({ description: 'Which items come first. Default: newest' });

const resultFields = z.strictObject({
  ...range,
  order: orderField,
  limit: pageSize(200, 50),
  cursor: cursorField,
  region: regionField,
  status: z.enum(CHECK_STATUSES).optional(),
  /** The id of a “check now” request. Selects its results, one per region. */
  requestId: z
    .string()
    .refine((id) => isId('request', id), 'must be the id of a request to check now')
    .optional(),
});

export const resultQuery = inOrder(resultFields);

const runFields = z.strictObject({
  ...range,
  order: orderField,
  limit: pageSize(200, 50),
  cursor: cursorField,
  region: regionField,
  status: wordsShape(RUN_STATUSES).optional(),
  trigger: z.enum(RUN_TRIGGERS).optional(),
});

export const runQuery = inOrder(runFields);

const fileFormat = { format: z.enum(['ndjson', 'csv']).default('ndjson') };

/** The filters of a file with results or runs. */
export const resultFileQuery = inOrder(
  resultFields.omit({ limit: true, cursor: true, order: true, requestId: true }).extend(fileFormat),
);
export const runFileQuery = inOrder(
  runFields.omit({ limit: true, cursor: true, order: true }).extend(fileFormat),
);

const WINDOW_HOURS = { '1h': 1, '24h': 24, '7d': 168, '30d': 720, '90d': 2160 } as const;

/** The query of the ledger. By default, it covers the last seven days, up to the last full hour. */
export const ledgerQuery = inOrder(z.strictObject(range));

/** The query of uptime: a window that ends at `to` or now, or any other range. */
export const uptimeQuery = z
  .strictObject({
    ...range,
    window: z.enum(['1h', '24h', '7d', '30d', '90d']).optional(),
    region: regionField,
  })
  .refine(({ window, from }) => window === undefined || from === undefined, {
    path: ['window'],
    message: 'cannot be combined with from',
  })
  .refine(({ from, to }) => from === undefined || to === undefined || from < to, {
    path: ['to'],
    message: 'must be after from',
  })
  .transform(({ window, ...query }) => ({
    ...query,
    windowMs: WINDOW_HOURS[window ?? '24h'] * 3_600_000,
  }));

const WAIT_SECONDS_MAX = 60;

/** The number of seconds that a request may wait for the end of a run. */
export const waitQuery = z.strictObject({
  wait: z
    .string()
    .regex(/^\d{1,2}$/, 'must be a whole number of seconds')
    .transform(Number)
    .refine((seconds) => seconds <= WAIT_SECONDS_MAX, `must be at most ${WAIT_SECONDS_MAX}`)
    .default(0)
    .meta(wholeNumber({ minimum: 0, maximum: WAIT_SECONDS_MAX, default: 0 })),
});

/** The body of a pause. `until: null` means no end. Without `until`, a pause that already exists keeps its end. */
export const pauseBody = z.strictObject({
  until: instantField.nullable().optional(),
  reason: lineField.min(1).max(500).optional(),
});

export const incidentQuery = inOrder(
  z.strictObject({
    ...range,
    limit: pageSize(500, 100),
    cursor: cursorField,
    state: z
      .enum(['open', 'acknowledged', 'resolved', 'unresolved'])
      .optional()
      .meta({ description: 'unresolved: open or acknowledged' }),
    resourceId: z.string().min(1).max(100).optional(),
  }),
);

export const alertQuery = z.strictObject({
  limit: pageSize(500, 100),
  cursor: cursorField,
  status: z.enum(DELIVERY_STATUSES).optional(),
  incidentId: z.string().min(1).max(100).optional(),
  resourceId: z.string().min(1).max(100).optional(),
});

/** The filters of an export. */
export const exportQuery = z.strictObject({
  set: z.string().min(1).max(100).optional(),
  tag: z.string().min(1).max(100).optional(),
});

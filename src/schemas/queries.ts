/** Query strings of lists, and small bodies of actions. */
import { z } from 'zod';
import { DELIVERY_STATUSES } from '../contracts/alerts';
import { RESOURCE_STATES } from '../contracts/definition';
import { HEALTHS } from '../contracts/records';
import { lineField } from './fields';

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
  readonly default: number;
}

/**
 * A whole number in a query string. Query strings are text, but the API reference shows the type of the parsed value.
 */
export function wholeNumber(bounds: Bounds, description: string) {
  return {
    description: `${description}. Default: ${bounds.default}`,
    override: ({ jsonSchema }: { readonly jsonSchema: Record<string, unknown> }): void => {
      Object.assign(jsonSchema, bounds, { type: 'integer' });
      delete jsonSchema['pattern'];
    },
  };
}

export function pageSize(max: number, byDefault: number) {
  return z
    .string()
    .regex(/^\d+$/, `must be a whole number from 1 to ${max}`)
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= max, `must be from 1 to ${max}`)
    .default(byDefault)
    .meta(wholeNumber({ minimum: 1, maximum: max, default: byDefault }, 'Items per page'));
}

export const cursorField = z.string().min(1).max(500).optional().meta({
  description:
    '`nextCursor` of the previous page. Send it with the same filters. Default: the first page',
});
export const regionField = z
  .string()
  .min(1)
  .max(32)
  .optional()
  .meta({ description: 'Only this region, by its id. Default: all regions' });

/** An id in a query string that selects objects of a list. */
export function idFilter(description: string) {
  return z.string().min(1).max(100).optional().meta({ description });
}

/** An instant in RFC 3339, which is converted to milliseconds since the epoch. */
export const instantField = z.iso
  .datetime({ offset: true, message: 'must be an RFC 3339 time like 2026-01-31T12:00:00Z' })
  .transform((text) => Date.parse(text));

/** The two ends of a range, which a query may leave out. */
export function rangeFields({ from, to }: { readonly from: string; readonly to: string }) {
  return {
    from: instantField.optional().meta({ description: from }),
    to: instantField.optional().meta({ description: to }),
  };
}

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

/** Lists words for a description: `up`, `down`. */
export function listWords(words: readonly string[]): string {
  return words.map((word) => `\`${word}\``).join(', ');
}

/** A list of words, separated by commas. The result is sorted and has no duplicates. */
export function wordsShape<Word extends string>(words: readonly Word[]) {
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
  state: z
    .enum(RESOURCE_STATES)
    .optional()
    .meta({ description: 'Only checks in this state. Default: all' }),
  health: z.enum(HEALTHS).optional().meta({
    description: 'Only checks with this health, regardless of pauses and maintenance. Default: all',
  }),
  status: wordsShape(SHOWN_STATUSES)
    .optional()
    .meta({
      description: `One or more of ${listWords(SHOWN_STATUSES)}, separated by commas. The status is paused, else maintenance, else the health`,
    }),
  group: z
    .string()
    .max(300)
    .transform((group) => group.replace(/\/$/, ''))
    .refine((group) => group !== '', 'must not be empty')
    .optional()
    .meta({
      description:
        'Only this group and its subgroups. A check without a group is found by the domain of its URL',
    }),
  tag: idFilter('Only checks with exactly this tag'),
  profile: idFilter('Only checks with this profile, by its key'),
  environment: idFilter('Only checks with this environment, by its key'),
  hours: idFilter('Only checks with these hours, by their key'),
  region: regionField,
  // The search text. The refused character occurs in no searched text, and MongoDB does not allow
  // it in patterns.
  q: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .refine((text) => !text.includes('\0'), 'must not contain a NUL character')
    .optional()
    .meta({
      description:
        'A part of the name, of a host or of the key, in any case. Paths and queries of URLs are not searched',
    }),
};

export const listQuery = z.strictObject({
  ...resourceFilters,
  limit: pageSize(500, 100),
  cursor: cursorField,
  /** The optional data to include. `recent` adds the last slots of each item. */
  include: z
    .literal('recent')
    .optional()
    .meta({ description: 'recent: adds the newest 30 slots of each item. Default: none' }),
});

const INCLUDED = ['recent', 'figures'] as const;
const CHECK_IDS_MAX = 100;

export const checkTypeField = z
  .enum(['monitor', 'scenario'])
  .optional()
  .meta({ description: 'Only monitors, or only scenarios. Default: both' });

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
      .optional()
      .meta({
        description: `At most ${CHECK_IDS_MAX} ids, separated by commas. Unknown ids are left out. Cannot be combined with filters or a cursor`,
      }),
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
      .optional()
      .meta({
        description:
          '`recent` adds the newest 30 slots of each item, `figures` uptime and response times; both, separated by a comma. Default: none',
      }),
  })
  .refine(
    ({ ids, limit: _limit, include: _include, ...others }) =>
      ids === undefined || Object.values(others).every((value) => value === undefined),
    { path: ['ids'], message: 'cannot be combined with filters or a cursor' },
  );

/** The query of lists without filters. */
export const pageQuery = z.strictObject({ limit: pageSize(500, 100), cursor: cursorField });

/** The body of a pause. `until: null` means no end. Without `until`, a pause that already exists keeps its end. */
export const pauseBody = z.strictObject({
  until: instantField
    .nullable()
    .optional()
    .describe(
      'When it resumes automatically; null: only people resume it. If absent, a pause that already exists keeps its end',
    ),
  reason: lineField.min(1).max(500).optional().describe('Reason, which pages show'),
});

export const incidentQuery = inOrder(
  z.strictObject({
    ...rangeFields({
      from: 'Only incidents with an episode that began at this time or later',
      to: 'Only incidents with an episode that began before this time',
    }),
    limit: pageSize(500, 100),
    cursor: cursorField,
    state: z
      .enum(['open', 'acknowledged', 'resolved', 'unresolved'])
      .optional()
      .meta({ description: 'Only this state; unresolved: open or acknowledged. Default: all' }),
    resourceId: idFilter('Only incidents of this monitor or scenario, by its id'),
  }),
);

export const alertQuery = z.strictObject({
  limit: pageSize(500, 100),
  cursor: cursorField,
  status: z
    .enum(DELIVERY_STATUSES)
    .optional()
    .meta({ description: 'Only deliveries with this status' }),
  incidentId: idFilter('Only alerts about this incident, with all its episodes'),
  resourceId: idFilter('Only alerts about this monitor or scenario, by its id'),
});

export const exportQuery = z.strictObject({
  set: idFilter('Only objects that apply created under this name of a set. Default: all objects'),
  tag: idFilter('Only monitors and scenarios with this tag. Default: all objects'),
});

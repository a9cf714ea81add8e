/** Query strings of results, runs, the ledger and uptime. */
import { z } from 'zod';
import { CHECK_STATUSES } from '../../contracts/outcome';
import { LIST_ORDERS, RUN_STATUSES, RUN_TRIGGERS } from '../../contracts/records';
import { isId } from '../../domain/definitions/ids';
import {
  cursorField,
  inOrder,
  listWords,
  pageSize,
  rangeFields,
  regionField,
  wholeNumber,
  wordsShape,
} from '../queries';

const range = rangeFields({
  from: 'Only slots at this time or later. Default: as long as results are kept',
  to: 'Only slots before this time. Default: now',
});

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
  status: z.enum(CHECK_STATUSES).optional().meta({ description: 'Only results with this status' }),
  /** The id of a “check now” request. Selects its results, one per region. */
  requestId: z
    .string()
    .refine((id) => isId('request', id), 'must be the id of a request to check now')
    .optional()
    .meta({
      description:
        'Only results of this request to check now, one per region. Empty until it is done',
    }),
});

export const resultQuery = inOrder(resultFields);

const runFields = z.strictObject({
  ...range,
  order: orderField,
  limit: pageSize(200, 50),
  cursor: cursorField,
  region: regionField,
  status: wordsShape(RUN_STATUSES)
    .optional()
    .meta({ description: `One or more of ${listWords(RUN_STATUSES)}, separated by commas` }),
  trigger: z.enum(RUN_TRIGGERS).optional().meta({ description: 'Only runs that this started' }),
});

export const runQuery = inOrder(runFields);

export const fileFormat = {
  format: z.enum(['ndjson', 'csv']).default('ndjson').meta({
    description: 'ndjson: one JSON object per line; csv: a header line and one line per item',
  }),
};

/** The filters of a file with results or runs. */
export const resultFileQuery = inOrder(
  resultFields.omit({ limit: true, cursor: true, order: true, requestId: true }).extend(fileFormat),
);
export const runFileQuery = inOrder(
  runFields.omit({ limit: true, cursor: true, order: true }).extend(fileFormat),
);

const WINDOW_HOURS = { '1h': 1, '24h': 24, '7d': 168, '30d': 720, '90d': 2160 } as const;

/** The query of the ledger. By default, it covers the last seven days, up to the last full hour. */
export const ledgerQuery = inOrder(
  z.strictObject(
    rangeFields({
      from: 'Start of the range, at most 31 days before `to`. Default: the begin of the day (UTC) six days before `to`',
      to: 'End of the range. Default: the last full hour',
    }),
  ),
);

/** The query of uptime: a window that ends at `to` or now, or any other range. */
export const uptimeQuery = z
  .strictObject({
    ...rangeFields({
      from: 'Start of the range, instead of a `window`',
      to: 'End of the range or window. Default: now',
    }),
    window: z
      .enum(['1h', '24h', '7d', '30d', '90d'])
      .optional()
      .meta({ description: 'Length of the window. Cannot be combined with `from`. Default: 24h' }),
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
    .meta(
      wholeNumber(
        { minimum: 0, maximum: WAIT_SECONDS_MAX, default: 0 },
        'Seconds to wait for the end of the run',
      ),
    ),
});

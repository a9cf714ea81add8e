/** The body of a monitor (CONTRACT §3), with every default filled in and shorthands resolved. */
import { z } from 'zod';
import type { Assertion } from '../contracts/definition';
import { assertionsField } from './assertion';
import {
  bodyField,
  groupField,
  headersField,
  intervalSecondsField,
  keyField,
  methodField,
  nameField,
  regionsField,
  retriesField,
  tagsField,
  timeoutMsField,
  urlField,
  variablesField,
} from './fields';
import { report } from './issues';
import { checkReferences } from './references';

const DEFAULT_INTERVAL_SECONDS = 60;
const DEFAULT_TIMEOUT_MS = 10_000;

const expectedStatusField = z
  .union([z.int().min(100).max(599), z.string().regex(/^[1-5]xx$/, 'must be like "2xx"')])
  .optional();

const monitorFields = z.strictObject({
  name: nameField,
  url: urlField,
  method: methodField.default('GET'),
  interval: intervalSecondsField.default(DEFAULT_INTERVAL_SECONDS),
  regions: regionsField,
  headers: headersField,
  body: bodyField,
  assertions: assertionsField,
  expectedStatus: expectedStatusField,
  expectedText: z.string().min(1).max(1000).optional(),
  group: groupField,
  variables: variablesField,
  timeoutMs: timeoutMsField.default(DEFAULT_TIMEOUT_MS),
  retries: retriesField.default(1),
  followRedirects: z.boolean().default(true),
  degradedAboveMs: z.int().min(1).max(60_000).nullable().default(null),
  quorum: z.union([z.int().min(1).max(20), z.literal('majority')]).default(1),
  failuresBeforeDown: z.int().min(1).max(10).default(1),
  successesBeforeUp: z.int().min(1).max(10).default(1),
  tags: tagsField,
  key: keyField,
  enabled: z.boolean().default(true),
});

type MonitorFields = z.output<typeof monitorFields>;
type Context = Parameters<typeof report>[0];

/** A whole monitor, as POST and PUT take it. */
export const monitorBody = monitorFields
  .superRefine((monitor, context) => {
    checkRequestBody(monitor, context);
    checkTimes(monitor, context);
    checkQuorum(monitor, context);
    const known = new Set(monitor.variables.map(({ name }) => name));
    checkReferences(monitor, known, { context, path: [] });
  })
  .transform(({ expectedStatus, expectedText, ...monitor }) => ({
    ...monitor,
    assertions: withShorthands(monitor.assertions, { expectedStatus, expectedText }),
  }));

export type MonitorBody = z.output<typeof monitorBody>;

function checkRequestBody({ method, body }: MonitorFields, context: Context): void {
  if (body === null || (method !== 'GET' && method !== 'HEAD')) return;
  report(context, ['body'], { code: 'invalid_value', message: `must be absent with ${method}` });
}

function checkTimes({ timeoutMs, interval }: MonitorFields, context: Context): void {
  if (timeoutMs <= interval * 1000) return;
  report(context, ['timeoutMs'], {
    code: 'out_of_bounds',
    message: 'must not exceed the interval',
  });
}

function checkQuorum({ quorum, regions }: MonitorFields, context: Context): void {
  if (regions === null || quorum === 'majority' || quorum <= regions.length) return;
  report(context, ['quorum'], {
    code: 'out_of_bounds',
    message: 'must not exceed the number of regions',
  });
}

interface Shorthands {
  readonly expectedStatus: number | string | undefined;
  readonly expectedText: string | undefined;
}

function withShorthands(
  assertions: readonly Assertion[],
  { expectedStatus, expectedText }: Shorthands,
): readonly Assertion[] {
  const extra: Assertion[] = [];
  if (expectedStatus !== undefined) {
    extra.push({ type: 'status', operator: 'equals', value: expectedStatus, severity: 'fail' });
  }
  if (expectedText !== undefined) {
    extra.push({ type: 'body', operator: 'contains', value: expectedText, severity: 'fail' });
  }
  return [...extra, ...assertions];
}

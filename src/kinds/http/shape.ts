/** The fields of an HTTP monitor: one request, and the expected response. */
import { z } from 'zod';
import type { Assertion } from '../../contracts/definition';
import { alertsField, guidanceFields } from '../../schemas/alerts';
import { ASSERTIONS_MAX, assertionsField } from '../../schemas/assertion';
import { authField } from '../../schemas/auth/auth-field';
import { environmentField } from '../../schemas/environments/environment';
import {
  degradedAboveMsField,
  dependsOnField,
  enabledField,
  groupField,
  headersField,
  intervalSecondsField,
  nameField,
  profileField,
  regionsField,
  resourceKeyField,
  tagsField,
  variablesField,
} from '../../schemas/fields';
import { hoursFields } from '../../schemas/hours/hours-fields';
import type { ShapeProblem } from '../../schemas/issues';
import { readList } from '../../schemas/loose';
import { routeFields } from '../../schemas/proxy/proxy-field';
import { requestBodyFields, requestMethodField, withMethod } from '../../schemas/request-body';
import { requestOptionFields } from '../../schemas/request-options';
import { requestTlsField } from '../../schemas/tls/tls-field';
import { DEFAULT_INTERVAL_SECONDS, monitorRuleFields, quorumField } from '../sent-fields';
import { findKindsWith } from '../shapes';
import { anyUrlField, SOCKET_SCHEME, urlField } from '../url';

/** Fields with one number or switch each, in the order in which forms show them. */
export const monitorOptionFields = {
  ...requestOptionFields,
  degradedAboveMs: degradedAboveMsField,
  ...monitorRuleFields,
};

const expectedStatusField = z
  .union([z.int().min(100).max(999), z.string().regex(/^[1-9]xx$/, 'must be like "2xx"')])
  .meta({ description: 'Shorthand for an assertion on the status, such as 204 or "2xx"' })
  .optional();

/** The fields that have no default. */
export const HTTP_NEEDS: readonly string[] = ['url'];

const OTHER_URL_TYPES = findKindsWith('url').join(', ');

/** The fields of an HTTP monitor. They are validated together with the fields of all other types. */
export const httpFields = {
  name: nameField,
  url: anyUrlField.optional().meta({
    description: `URL to check, required for the types http and ${OTHER_URL_TYPES}. http or https, may contain \`{{variables}}\`; for the type ${OTHER_URL_TYPES}, ws or wss`,
  }),
  method: requestMethodField,
  profile: profileField,
  interval: intervalSecondsField.default(DEFAULT_INTERVAL_SECONDS),
  regions: regionsField,
  headers: headersField,
  auth: authField,
  ...routeFields,
  ...requestBodyFields,
  assertions: assertionsField,
  expectedStatus: expectedStatusField,
  expectedText: z
    .string()
    .min(1)
    .max(1000)
    .meta({ description: 'Shorthand for an assertion that the body contains this text' })
    .optional(),
  alerts: alertsField,
  dependsOn: dependsOnField,
  ...hoursFields,
  ...guidanceFields,
  group: groupField,
  variables: variablesField,
  environment: environmentField,
  ...monitorOptionFields,
  tls: requestTlsField,
  quorum: quorumField,
  tags: tagsField,
  key: resourceKeyField,
  enabled: enabledField,
};

type HttpFields = z.output<z.ZodObject<typeof httpFields>>;

/** The schema of an HTTP monitor for the API reference, with the `type` that generated clients send. */
export const httpMonitorBody = z.strictObject({
  type: z.literal('http').meta({ description: 'A body without a type is an HTTP monitor, too' }),
  ...httpFields,
  url: urlField.meta({
    description: 'URL to check, http or https; may contain `{{variables}}`',
  }),
});

/**
 * Replaces the short forms `expectedStatus` and `expectedText` with assertions. A monitor without a url is refused
 * elsewhere.
 */
export function toHttpBody<Sent extends HttpFields & { readonly type: unknown }>({
  expectedStatus,
  expectedText,
  url = '',
  type: _type,
  ...monitor
}: Sent) {
  return {
    ...withMethod(monitor),
    type: 'http' as const,
    url,
    assertions: withShorthands(monitor.assertions, { expectedStatus, expectedText }),
  };
}

/** Counts the short forms towards the limit of assertions, because each of them becomes an assertion. */
export function findShorthandProblems(monitor: Readonly<Record<string, unknown>>): ShapeProblem[] {
  const listed = readList(monitor['assertions']).length;
  const given = ['expectedStatus', 'expectedText'].filter((name) => monitor[name] !== undefined);
  const path = given.at(-1);
  if (path === undefined || listed > ASSERTIONS_MAX) return [];
  if (listed + given.length <= ASSERTIONS_MAX) return [];
  const message = `makes more than ${ASSERTIONS_MAX} assertions together with the list`;
  return [{ path, code: 'out_of_bounds', message }];
}

function withShorthands(
  assertions: readonly Assertion[],
  { expectedStatus, expectedText }: Pick<HttpFields, 'expectedStatus' | 'expectedText'>,
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

/** Reports a URL that belongs to another type of check. */
export function findHttpUrlProblems({
  url,
}: Readonly<Record<string, unknown>>): readonly ShapeProblem[] {
  if (typeof url !== 'string' || !SOCKET_SCHEME.test(url)) return [];
  const message = `must begin with http:// or https://; for ws:// and wss://, use the type ${OTHER_URL_TYPES}`;
  return [{ path: 'url', code: 'invalid_value', message }];
}

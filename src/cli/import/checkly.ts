/** Checks as the public API of Checkly lists them (`GET /v1/checks`, JSON). */
import { z } from 'zod';
import {
  compact,
  createKeyMaker,
  type Fields,
  type Imported,
  type ImportNote,
  parsedBody,
  timesOf,
} from './imported';

const text = z.string().nullish();
const pair = z.looseObject({ key: z.string(), value: z.string(), locked: z.boolean().nullish() });

const assertionShape = z.looseObject({
  source: z.string(),
  comparison: z.string(),
  property: text,
  target: z.union([z.string(), z.number()]).nullish(),
});
type CheckAssertion = z.output<typeof assertionShape>;

const checkShape = z.looseObject({
  name: z.string(),
  checkType: z.string(),
  activated: z.boolean().nullish(),
  muted: z.boolean().nullish(),
  shouldFail: z.boolean().nullish(),
  frequency: z.number().nullish(),
  frequencyOffset: z.number().nullish(),
  locations: z.array(z.string()).nullish(),
  tags: z.array(z.string()).nullish(),
  degradedResponseTime: z.number().nullish(),
  maxResponseTime: z.number().nullish(),
  doubleCheck: z.boolean().nullish(),
  setupSnippetId: z.number().nullish(),
  tearDownSnippetId: z.number().nullish(),
  localSetupScript: text,
  localTearDownScript: text,
  request: z
    .looseObject({
      url: z.string(),
      method: text,
      body: text,
      bodyType: text,
      followRedirects: z.boolean().nullish(),
      headers: z.array(pair).nullish(),
      queryParameters: z.array(pair).nullish(),
      assertions: z.array(assertionShape).nullish(),
      skipSSL: z.boolean().nullish(),
      basicAuth: z.looseObject({ username: text }).nullish(),
    })
    .nullish(),
});

/** A list, or an object with one. */
export const checklyShape = z.union([
  z.array(checkShape),
  z.looseObject({ checks: z.array(checkShape) }).transform(({ checks }) => checks),
]);

type Check = z.output<typeof checkShape>;
type Request = NonNullable<Check['request']>;
type Note = (message: string) => void;

const KINDS: readonly string[] = ['API', 'URL'];
const COMPARISONS: Readonly<Record<string, string>> = {
  EQUALS: 'equals',
  NOT_EQUALS: 'notEquals',
  LESS_THAN: 'lessThan',
  GREATER_THAN: 'greaterThan',
  CONTAINS: 'contains',
  NOT_CONTAINS: 'notContains',
  IS_EMPTY: 'isEmpty',
  NOT_EMPTY: 'isNotEmpty',
  HAS_KEY: 'exists',
  NOT_HAS_KEY: 'notExists',
  HAS_VALUE: 'contains',
  NOT_HAS_VALUE: 'notContains',
  NOT_NULL: 'exists',
};
const WITHOUT_VALUE: readonly string[] = ['isEmpty', 'isNotEmpty', 'exists', 'notExists'];

export function importCheckly(checks: z.output<typeof checklyShape>): Imported {
  const keyOf = createKeyMaker();
  const notes: ImportNote[] = [];
  const monitors = checks.flatMap((check) => {
    const note: Note = (message) => notes.push({ name: check.name, message });
    const { request } = check;
    if (!KINDS.includes(check.checkType) || !request) {
      note(`is a ${check.checkType} check; only requests over HTTP have a counterpart`);
      return [];
    }
    return [compact(monitorOf({ check, request, key: keyOf(check.name), note }))];
  });
  return { monitors, env: [], notes };
}

interface Source {
  readonly check: Check;
  readonly request: Request;
  readonly key: string;
  readonly note: Note;
}

function monitorOf({ check, request, key, note }: Source): Fields {
  tellLosses(check, request, note);
  const seconds = frequencySeconds(check);
  const assertions = (request.assertions ?? []).flatMap((each) => {
    const assertion = assertionOf(each);
    if (assertion === null)
      note(`assertion on ${each.source} ${each.comparison} has no counterpart`);
    return assertion === null ? [] : [assertion];
  });
  return {
    key,
    name: check.name,
    url: urlOf(request),
    method: request.method ?? 'GET',
    ...timesOf({ intervalSeconds: seconds, timeoutMs: check.maxResponseTime ?? null }, { note }),
    degradedAboveMs: check.degradedResponseTime,
    headers: headersOf(request, key, note),
    body: request.body ? parsedBody(request.body) : null,
    followRedirects: request.followRedirects === false ? false : null,
    assertions,
    retries: check.doubleCheck === true ? 1 : 0,
    tags: check.tags,
    enabled: check.activated === false ? false : null,
  };
}

/** Minutes; 0 means every `frequencyOffset` seconds. */
function frequencySeconds({ frequency, frequencyOffset }: Check): number {
  if (frequency === 0) return frequencyOffset ?? 10;
  return (frequency ?? 10) * 60;
}

function tellLosses(check: Check, request: Request, note: Note): void {
  const { locations, localSetupScript, localTearDownScript, setupSnippetId, tearDownSnippetId } =
    check;
  if (locations && locations.length > 0)
    note(`runs in ${locations.join(', ')}; set regions to yours, or leave the default`);
  if (localSetupScript || localTearDownScript || setupSnippetId || tearDownSnippetId)
    note('has scripts before or after; use a scenario with steps instead');
  if (check.shouldFail === true) note('should fail; write the expected status as an assertion');
  if (check.muted === true) note('is muted; use alerts or a maintenance window');
  if (request.skipSSL === true) note('ignores certificates; here they are always checked');
  const texts = JSON.stringify([request.url, request.headers, request.body]);
  if (/\{\{[^}]+\}\}/.test(texts))
    note('uses variables; define them under variables or as {{secret:NAME}}');
}

function urlOf({ url, queryParameters }: Request): string {
  const given = (queryParameters ?? []).filter(({ key }) => key !== '');
  if (given.length === 0) return url;
  const query = given
    .map(({ key, value }) => `${encodeURIComponent(key)}=${plainOr(value)}`)
    .join('&');
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

/** References stay as they are. */
function plainOr(value: string): string {
  return value.includes('{{') ? value : encodeURIComponent(value);
}

function headersOf({ headers, basicAuth }: Request, key: string, note: Note): Fields {
  const prefix = key.replaceAll(/[^a-z0-9]/g, '_').toUpperCase();
  const given = (headers ?? []).filter((header) => header.key !== '');
  const plain = given.map((header) => {
    if (header.locked !== true) return [header.key, header.value];
    const secret = `${prefix}_${header.key.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase()}`;
    note(`has a locked header ${header.key}: set the secret ${secret}`);
    return [header.key, `{{secret:${secret}}}`];
  });
  if (!basicAuth?.username) return Object.fromEntries(plain);
  const secret = `${prefix}_BASIC_AUTH`;
  note(`signs in with a password: set the secret ${secret} to base64 of user:password`);
  return { ...Object.fromEntries(plain), Authorization: `Basic {{secret:${secret}}}` };
}

function assertionOf({ source, comparison, property, target }: CheckAssertion): Fields | null {
  const operator = COMPARISONS[comparison];
  if (operator === undefined) return null;
  const compared = WITHOUT_VALUE.includes(operator)
    ? { operator }
    : { operator, value: target ?? '' };
  switch (source) {
    case 'STATUS_CODE':
      return { type: 'status', operator, value: Number(target) };
    case 'RESPONSE_TIME':
      return { type: 'responseTime', operator, value: Number(target) };
    case 'HEADERS':
      return property ? { type: 'header', name: property, ...compared } : null;
    case 'TEXT_BODY':
      return { type: 'body', ...compared };
    case 'JSON_BODY':
      return { type: 'jsonPath', path: property || '$', ...numericWhere(compared) };
    default:
      return null;
  }
}

function numericWhere(compared: { readonly operator: string; readonly value?: string | number }) {
  return compared.operator.includes('Than')
    ? { ...compared, value: Number(compared.value) }
    : compared;
}

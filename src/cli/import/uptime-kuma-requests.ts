/** Converts the request of an Uptime Kuma monitor, and its expectations of the response. */
import { z } from 'zod';
import { quoteFields, quoteTexts } from '../../domain/templates/quote-texts';
import { parseJsonOrText } from '../json-or-text';
import { importBasicAuth, importClientAuth } from './auth';
import { COMPARISONS, type Fields } from './imported';
import { quotePath } from './json-paths';
import { importBody } from './sent-body';
import { isOn, type Monitor } from './uptime-kuma-shape';

export type Note = (message: string) => void;

const CLASSES: Readonly<Record<string, string>> = {
  '100-199': '1xx',
  '200-299': '2xx',
  '300-399': '3xx',
  '400-499': '4xx',
  '500-599': '5xx',
};

/** The content types that Uptime Kuma sends by default. */
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  xml: 'text/xml; charset=utf-8',
};

export function importRequest(monitor: Monitor, key: string, note: Note): Fields {
  const { method, body, httpBodyEncoding } = monitor;
  const headers = importHeaders(monitor, note);
  const sent = importBody({
    method: method ?? 'GET',
    text: body,
    contentType: CONTENT_TYPES[httpBodyEncoding ?? 'json'] ?? null,
    headers,
    note,
  });
  return { ...sent, auth: importAuth(monitor, { key, headers, note }) };
}

const REDIRECTS_MAX = 10;

export function importRedirects(count: number | null | undefined, note: Note): Fields {
  if (count === 0) return { followRedirects: false };
  if ((count ?? 0) > REDIRECTS_MAX)
    note(`follows ${count} redirects; here at most ${REDIRECTS_MAX}`);
  return { maxRedirects: count && count < REDIRECTS_MAX ? count : null };
}

const READ_METHODS = ['basic', 'mtls', 'oauth2-cc', 'null'];

function importAuth(
  monitor: Monitor,
  given: { readonly key: string; readonly headers: Fields; readonly note: Note },
): Fields | null {
  const { authMethod, basic_auth_user: user } = monitor;
  if (authMethod && !READ_METHODS.includes(authMethod))
    given.note(`signs in by ${authMethod}; that has no counterpart`);
  if (authMethod === 'oauth2-cc')
    return importClientAuth({
      ...given,
      tokenUrl: monitor.oauth_token_url ?? '',
      clientId: monitor.oauth_client_id ?? '',
      scope: monitor.oauth_scopes ?? '',
      audience: monitor.oauth_audience ?? undefined,
      sendAs: monitor.oauth_auth_method === 'client_secret_post' ? 'body' : undefined,
    });
  // True for basic authentication. Old backups contain no method. If the method is another one, the user name is not
  // used for basic authentication.
  const isBasic = authMethod === 'basic' || (!authMethod && user);
  return isBasic ? importBasicAuth({ ...given, user: user ?? '' }) : null;
}

function importHeaders(monitor: Monitor, note: Note): Fields {
  const parsed = monitor.headers ? parseJsonOrText(monitor.headers) : {};
  const shape = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));
  const given = shape.safeParse(parsed);
  if (!given.success) note('has headers that are not a JSON object; they are left out');
  const plain = Object.entries(given.data ?? {}).map(([name, value]) => [name, String(value)]);
  return quoteFields(Object.fromEntries(plain));
}

/** Converts the accepted statuses. 200–299 needs no assertion, because it is our default expectation. */
export function importStatusCodes(
  { accepted_statuscodes }: Monitor,
  note: Note,
): readonly Fields[] {
  const given = accepted_statuscodes ?? ['200-299'];
  if (given.length === 1 && given[0] === '200-299') return [];
  const known = [...new Set(given.flatMap(parseStatuses))];
  if (given.some((range) => parseStatuses(range).length === 0))
    note(`accepts status codes ${given.join(', ')}; only codes and ranges of codes are imported`);
  return known.length === 0 ? [] : [{ type: 'status', operator: 'in', value: known }];
}

/** Parses a range of statuses to a class or to single codes. Empty for other texts. */
function parseStatuses(range: string): readonly (string | number)[] {
  const whole = CLASSES[range];
  if (whole !== undefined) return [whole];
  const [, first, last = first] = /^(\d{3})(?:-(\d{3}))?$/.exec(range) ?? [];
  const [from, to] = [Number(first), Number(last)];
  if (!(from >= 100 && to >= from)) return [];
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

export function importContent(monitor: Monitor, note: Note): readonly Fields[] {
  const { type, keyword, invertKeyword, jsonPath, expectedValue, jsonPathOperator } = monitor;
  if (type === 'keyword' && keyword)
    return [
      {
        type: 'body',
        operator: isOn(invertKeyword) ? 'notContains' : 'contains',
        value: quoteTexts(keyword),
      },
    ];
  if (type !== 'json-query' || !jsonPath) return [];
  const isPlainPath = /^\$?[\p{L}\p{N}_.[\]'"`*-]*$/u.test(jsonPath);
  if (!isPlainPath) {
    note(`uses the JSONata ${jsonPath}; write a JSON path instead`);
    return [];
  }
  const whole = jsonPath.startsWith('$') ? jsonPath : `$.${jsonPath}`;
  const path = quotePath(whole);
  if (/\.[\w]+-\w/.test(whole))
    note(`uses the JSONata ${jsonPath}, where a hyphen subtracts; here it is part of a name`);
  const operator =
    jsonPathOperator === 'contains'
      ? 'contains'
      : (COMPARISONS[jsonPathOperator ?? '=='] ?? 'equals');
  if (jsonPathOperator && jsonPathOperator !== 'contains' && !(jsonPathOperator in COMPARISONS))
    note(`compares with ${jsonPathOperator}, which has no counterpart; imported as ==`);
  const isNumeric = operator.includes('Than');
  const value = isNumeric ? numberIn(expectedValue) : quoteTexts(expectedValue ?? '');
  if (value === null) {
    note(
      `compares ${jsonPath} with ${expectedValue ?? 'nothing'}, which is not a number; left out`,
    );
    return [];
  }
  return [{ type: 'jsonPath', path, operator, value }];
}

function numberIn(value: Monitor['expectedValue']): number | null {
  const number = Number(value);
  return value === '' || value === null || !Number.isFinite(number) ? null : number;
}

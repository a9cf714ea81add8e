/** Converts checks as the public API of Checkly lists them (`GET /v1/checks`, JSON). */

import { z } from 'zod';
import { toWellFormed } from '../../../domain/text/cut-text';
import { importBasicAuth } from '../auth';
import { importConnection } from '../connection/checkly';
import { hasPlaceholder, listPlaceholders, withReferences } from '../environment-placeholders';
import {
  createKeyMaker,
  dropEmptyFields,
  type Fields,
  type Imported,
  type ImportNote,
} from '../imported';
import { quotePath } from '../json-paths';
import { importRequest } from './checkly-body';
import {
  assertionShape,
  type Check,
  type CheckAssertion,
  checkShape,
  importCommon,
  type Note,
  noteUnknownFields,
  readRequest,
  text,
} from './checkly-check';
import { findKind } from './checkly-kinds';
import {
  importUndefinedVariables,
  importVariables,
  listReferencedNames,
} from './checkly-variables';

const pair = z.looseObject({ key: z.string(), value: z.string(), locked: z.boolean().nullish() });

const requestShape = z.looseObject({
  url: z.string(),
  method: text,
  body: text,
  bodyType: text,
  followRedirects: z.boolean().nullish(),
  headers: z.array(pair).nullish(),
  queryParameters: z.array(pair).nullish(),
  assertions: z.array(assertionShape).nullish(),
  ipFamily: z.string().nullish(),
  skipSSL: z.boolean().nullish(),
  basicAuth: z.looseObject({ username: text }).nullish(),
});

type Request = z.output<typeof requestShape>;

/** The schema of the file, which contains a list, or an object with a list. */
export const checklyShape = z.preprocess(
  (given) =>
    typeof given === 'object' && given !== null && 'checks' in given ? given.checks : given,
  z.array(checkShape),
);

export const HTTP_TYPES: readonly string[] = ['API', 'URL'];
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
  IS_NULL: 'equals',
  NOT_NULL: 'notEquals',
};
const ABOUT_NULL: readonly string[] = ['IS_NULL', 'NOT_NULL'];
const ABOUT_KEYS: readonly string[] = ['HAS_KEY', 'NOT_HAS_KEY'];
const WITHOUT_VALUE: readonly string[] = ['isEmpty', 'isNotEmpty', 'exists', 'notExists'];

export function importCheckly(checks: z.output<typeof checklyShape>): Imported {
  const keyOf = createKeyMaker();
  const notes: ImportNote[] = [];
  const names = new Set<string>();
  const monitors = checks.flatMap((check) => {
    const monitor = importCheck(check, {
      newKey: () => keyOf(check.name, check.id),
      note: (message) => notes.push({ name: check.name, message }),
      declare: (name) => names.add(name),
    });
    return monitor === null ? [] : [monitor];
  });
  for (const name of listPlaceholders(monitors)) names.add(name);
  return { monitors: withReferences(monitors, names), env: [...names], notes };
}

interface ImportContext {
  readonly newKey: () => string;
  readonly note: Note;
  readonly declare: (name: string) => void;
}

/**
 * Converts a check. The texts may contain placeholders for environment variables. Returns null and adds a note if the
 * check has no counterpart.
 */
export function importCheck(check: Check, surroundings: ImportContext): Fields | null {
  const { checkType, request } = check;
  const { newKey, note } = surroundings;
  const importOwn = HTTP_TYPES.includes(checkType) ? importHttp : findKind(checkType);
  if (importOwn === null || !request) {
    note(`is a ${checkType} check, which has no counterpart`);
    return null;
  }
  const own = importVariables(check.environmentVariables, surroundings);
  const unknown = listReferencedNames(request).filter((name) => !(name in own));
  const inUrl = listReferencedNames([request['url'], request['queryParameters']]);
  const variables = { ...own, ...importUndefinedVariables(unknown, inUrl, surroundings) };
  const key = newKey();
  const fields = importOwn(check, { key, note });
  return fields && dropEmptyFields({ key, name: check.name, ...fields, variables });
}

function importHttp(
  check: Check,
  { key, note }: { readonly key: string; readonly note: Note },
): Fields | null {
  const request = readRequest(check, { shape: requestShape, note });
  if (request === null) return null;
  const common = importCommon(check, note);
  if (check.shouldFail === true) note('should fail: imported to expect a status of 400 or more');
  noteUnknownFields(request, { shape: requestShape, note });
  const assertions = (request.assertions ?? []).flatMap((each) => {
    const assertion = importAssertion(each);
    if (assertion === null)
      note(`assertion on ${each.source} ${each.comparison} has no counterpart`);
    return assertion === null ? [] : [assertion];
  });
  return {
    url: importUrl(request),
    ...importRequest(request, note),
    ...common,
    ...importSignIn(request, key, note),
    followRedirects: request.followRedirects === false ? false : null,
    assertions: withFailure(check, assertions),
    ...importConnection(request, { note }),
  };
}

/**
 * For a check that should fail, adds an assertion that any status from 400 satisfies. Adds nothing if the check asserts
 * the status itself.
 */
function withFailure({ shouldFail }: Check, assertions: readonly Fields[]): readonly Fields[] {
  const isOpen = assertions.every(({ type }) => type !== 'status');
  const failure = { type: 'status', operator: 'greaterThanOrEqual', value: 400 };
  return shouldFail === true && isOpen ? [failure, ...assertions] : assertions;
}

function importUrl({ url, queryParameters }: Request): string {
  const given = (queryParameters ?? []).filter(({ key }) => key !== '');
  if (given.length === 0) return url;
  const query = given
    .map(({ key, value }) => `${encodeURIComponent(toWellFormed(key))}=${plainOr(value)}`)
    .join('&');
  return `${url}${url.includes('?') ? '&' : '?'}${query}`;
}

function plainOr(value: string): string {
  return value.includes('{{') || hasPlaceholder(value)
    ? value
    : encodeURIComponent(toWellFormed(value));
}

function importSignIn({ headers: lines, basicAuth }: Request, key: string, note: Note): Fields {
  const prefix = key.replaceAll(/[^a-z0-9]/g, '_').toUpperCase();
  const plain = (lines ?? []).flatMap((header) => {
    if (header.key === '') return [];
    if (header.locked !== true) return [[header.key, header.value]];
    const secret = `${prefix}_${header.key.replaceAll(/[^A-Za-z0-9]/g, '_').toUpperCase()}`;
    note(`has a locked header ${header.key}: set the secret ${secret}`);
    return [[header.key, `{{secret:${secret}}}`]];
  });
  const headers: Fields = Object.fromEntries(plain);
  const user = basicAuth?.username;
  return user ? { headers, auth: importBasicAuth({ user, key, headers, note }) } : { headers };
}

function importAssertion(assertion: CheckAssertion): Fields | null {
  const { source, comparison, property, target, regex } = assertion;
  const operator = COMPARISONS[comparison];
  if (operator === undefined || regex) return null;
  const value = ABOUT_NULL.includes(comparison) ? null : (target ?? '');
  const compared = WITHOUT_VALUE.includes(operator) ? { operator } : { operator, value };
  switch (source) {
    case 'STATUS_CODE':
      return { type: 'status', operator, value: Number(target) };
    case 'RESPONSE_TIME':
      return { type: 'responseTime', operator, value: Number(target) };
    case 'HEADERS':
      return property ? { type: 'header', name: property, ...numericWhere(compared) } : null;
    case 'TEXT_BODY':
      return { type: 'body', ...compared };
    case 'JSON_BODY':
      return { type: 'jsonPath', path: importPath(assertion), ...numericWhere(compared) };
    default:
      return null;
  }
}

/** Returns the path of an assertion. For comparisons about the keys of an object, the path includes the key. */
function importPath({ property, comparison, target }: CheckAssertion): string {
  const path = quotePath(property || '$');
  if (!ABOUT_KEYS.includes(comparison) || target === null || target === undefined) return path;
  return `${path}[${JSON.stringify(String(target))}]`;
}

function numericWhere(compared: { readonly operator: string; readonly value?: unknown }) {
  return compared.operator.includes('Than')
    ? { ...compared, value: Number(compared.value) }
    : compared;
}

/**
 * Converts conditions of Gatus, like `[STATUS] == 200`, to assertions. Conditions on the expiry of a domain become
 * domain monitors.
 */
import { getDomain } from 'tldts';
import { quoteTexts } from '../../domain/templates/quote-texts';
import { COMPARISONS, type Fields, type NoteTaker } from './imported';
import { quotePath } from './json-paths';

const HOURS: Readonly<Record<string, number>> = { h: 1, m: 1 / 60, s: 1 / 3_600 };
const HOURS_PER_DAY = 24;
/**
 * Matches a placeholder for a part of the response. On the right side of a condition, Gatus treats such a placeholder
 * as plain text.
 */
const PLACEHOLDER = /^(?:(?:len|has)\()?\[[A-Z_]+\]/;
const PATTERN_MAX = 500;

/** Converts a condition to fields. Returns null if it has no counterpart. */
export function importCondition(condition: string): Fields | null {
  const [, left = '', sign = '', right = ''] =
    /^(.+?)\s*(==|!=|<=|>=|<|>)\s*(.+)$/.exec(condition.trim()) ?? [];
  const operator = COMPARISONS[sign];
  if (operator === undefined || PLACEHOLDER.test(right)) return null;
  const compared = { operator, sign, right: right.trim() };
  if (left === '[STATUS]') return importStatus(compared);
  if (left === '[RESPONSE_TIME]') return numeric('responseTime', compared);
  if (left === '[CERTIFICATE_EXPIRATION]') return importExpiry(compared);
  if (left === '[CONNECTED]')
    return right.trim() === 'true'
      ? { type: 'status', operator: 'greaterThanOrEqual', value: 100 }
      : null;
  return importContent(left, compared);
}

interface Compared {
  readonly operator: string;
  readonly sign: string;
  readonly right: string;
}

function importStatus(compared: Compared): Fields | null {
  const any = /^any\(([\d,\s]+)\)$/.exec(compared.right)?.[1];
  if (any === undefined) return numeric('status', compared);
  const value = any.split(',').map(Number);
  return { type: 'status', operator: compared.operator === 'equals' ? 'in' : 'notIn', value };
}

function numeric(type: string, { operator, right }: Compared): Fields | null {
  const value = Number(right);
  return Number.isFinite(value) ? { type, operator, value } : null;
}

function importExpiry({ operator, right }: Compared): Fields | null {
  const [, amount, unit = ''] = /^(\d+)(h|m|s)$/.exec(right) ?? [];
  const hours = HOURS[unit];
  if (hours === undefined) return null;
  const value = Math.round((Number(amount) * hours) / HOURS_PER_DAY);
  return { type: 'tls', name: 'daysUntilExpiry', operator, value };
}

/** Converts `[BODY]` and `[BODY].path`, with or without `len` or `has`. null for anything else. */
function importContent(left: string, { operator, sign, right }: Compared): Fields | null {
  const [, wrapped, inner = left] = /^(len|has)\((.+)\)$/.exec(left) ?? [];
  if (!inner.startsWith('[BODY]')) return null;
  const rest = inner.slice('[BODY]'.length);
  if (rest !== '' && !/^[.[]/.test(rest)) return null;
  const path = quotePath(`$${rest}`);
  const source = rest === '' ? { type: 'body' } : { type: 'jsonPath', path };
  if (wrapped === 'has') return { ...source, operator: right === 'true' ? 'exists' : 'notExists' };
  if (wrapped === 'len') {
    return sign === '=='
      ? { type: 'jsonPath', path, operator: 'lengthEquals', value: Number(right) }
      : null;
  }
  return rest === '' ? importBody(operator, right) : importComparison(source, operator, right);
}

/**
 * Converts a comparison of the whole body. Gatus removes blanks and line breaks from both ends of a body before it
 * compares the body.
 */
function importBody(operator: string, right: string): Fields | null {
  const source = { type: 'body' };
  if (operator.includes('Than')) return importComparison(source, operator, right);
  const pattern = /^pat\((.*)\)$/s.exec(right)?.[1];
  const any = /^any\((.*)\)$/s.exec(right)?.[1];
  const texts = any === undefined ? [right] : any.split(',').map((item) => item.trim());
  const inner =
    pattern === undefined ? `(?:${texts.map(escaped).join('|')})` : convertGlob(pattern.trim());
  const value = `(?s)^${edge(inner, /^\.\*/)}${inner}${edge(inner, /\.\*$/)}$`;
  if (value.length > PATTERN_MAX) return null;
  return { ...source, operator: operator === 'equals' ? 'matches' : 'notMatches', value };
}

/** Returns the pattern for blanks at one end of the body. Empty if `pattern` already allows any text there. */
function edge(pattern: string, anything: RegExp): string {
  return anything.test(pattern) ? '' : '\\s*';
}

function importComparison(source: Fields, operator: string, right: string): Fields | null {
  const isOrder = operator.includes('Than');
  if (isOrder) {
    const value = Number(right);
    return Number.isFinite(value) ? { ...source, operator, value } : null;
  }
  const isEqual = operator === 'equals';
  const pattern = /^pat\((.*)\)$/.exec(right)?.[1];
  if (pattern !== undefined)
    return {
      ...source,
      operator: isEqual ? 'matches' : 'notMatches',
      value: `(?s)^${convertGlob(pattern.trim())}$`,
    };
  const any = /^any\((.*)\)$/.exec(right)?.[1];
  if (any !== undefined) {
    const value = any.split(',').map((item) => item.trim());
    return { ...source, operator: isEqual ? 'in' : 'notIn', value };
  }
  return { ...source, operator, value: right };
}

function convertGlob(pattern: string): string {
  return pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}

/** Converts conditions to assertions. A condition on the certificate's expiry becomes an expiry warning instead. */
export function importExpectations(
  { conditions }: { readonly conditions?: readonly string[] | null | undefined },
  note: (message: string) => void,
): Fields {
  const assertions = (conditions ?? []).flatMap((condition) => {
    const assertion = importCondition(condition);
    if (assertion === null) note(`condition ${condition} has no counterpart`);
    return assertion === null ? [] : [{ ...assertion, ...quoted(assertion) }];
  });
  const days = assertions.flatMap(readWarnDays);
  const kept = assertions.filter((assertion) => readWarnDays(assertion).length === 0);
  return {
    assertions: kept.some(({ type }) => type === 'status') ? kept : [ANY_STATUS, ...kept],
    tls: days.length === 0 ? null : { warnDays: [...new Set(days)] },
  };
}

/** An assertion that accepts any status, because Gatus checks the status only if a condition names it. */
const ANY_STATUS: Fields = { type: 'status', operator: 'greaterThanOrEqual', value: 100 };

function readWarnDays({ type, name, operator, value }: Fields): readonly number[] {
  const isExpiry =
    type === 'tls' && name === 'daysUntilExpiry' && String(operator).startsWith('greater');
  const days = Math.min(365, Math.max(1, Number(value)));
  return isExpiry && Number.isInteger(days) ? [days] : [];
}

function quoted({ value }: Fields): Fields {
  return value === undefined ? {} : { value: quoteTexts(value) };
}

const DOMAIN_CONDITION = /^\[DOMAIN_EXPIRATION\]\s*>=?\s*/;

/** The fields of an additional domain monitor, and the conditions that remain for the endpoint's own monitor. */
interface SplitConditions {
  /** null if no condition is about the domain. */
  readonly domain: Fields | null;
  readonly rest: readonly string[];
}

export function splitDomainConditions(
  {
    url,
    conditions,
  }: { readonly url: string; readonly conditions?: readonly string[] | null | undefined },
  { note }: NoteTaker,
): SplitConditions {
  const all = conditions ?? [];
  const days = all.flatMap((condition) => readDays(condition) ?? []);
  const rest = all.filter((condition) => readDays(condition) === null);
  if (days.length === 0) return { domain: null, rest };
  const host = getDomain(url);
  if (host !== null)
    return { domain: { type: 'domain', host, warnDays: [...new Set(days)] }, rest };
  note('conditions on [DOMAIN_EXPIRATION] are left out: the URL contains no registered domain');
  return { domain: null, rest };
}

/** Returns the number of days in a condition on the domain. null for any other condition. */
function readDays(condition: string): number | null {
  const text = condition.trim();
  if (!DOMAIN_CONDITION.test(text)) return null;
  const read = importCondition(text.replace(DOMAIN_CONDITION, '[CERTIFICATE_EXPIRATION] > '));
  const value = Number(read?.['value'] ?? Number.NaN);
  return Number.isFinite(value) ? Math.min(365, Math.max(1, value)) : null;
}

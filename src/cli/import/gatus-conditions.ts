/** Conditions of Gatus, like `[STATUS] == 200`, as assertions. */
import { COMPARISONS, type Fields } from './imported';

const HOURS: Readonly<Record<string, number>> = { h: 1, m: 1 / 60, s: 1 / 3_600 };
const HOURS_PER_DAY = 24;

/** null: it has no counterpart. */
export function assertionOfCondition(condition: string): Fields | null {
  const [, left = '', sign = '', right = ''] =
    /^(.+?)\s*(==|!=|<=|>=|<|>)\s*(.+)$/.exec(condition.trim()) ?? [];
  const operator = COMPARISONS[sign];
  if (operator === undefined) return null;
  const compared = { operator, sign, right: right.trim() };
  if (left === '[STATUS]') return statusOf(compared);
  if (left === '[RESPONSE_TIME]') return numeric('responseTime', compared);
  if (left === '[CERTIFICATE_EXPIRATION]') return expiryOf(compared);
  if (left === '[CONNECTED]')
    return right.trim() === 'true' ? { type: 'status', operator: 'greaterThan', value: 100 } : null;
  return contentOf(left, compared);
}

interface Compared {
  readonly operator: string;
  readonly sign: string;
  readonly right: string;
}

function statusOf(compared: Compared): Fields | null {
  const any = /^any\(([\d,\s]+)\)$/.exec(compared.right)?.[1];
  if (any === undefined) return numeric('status', compared);
  const value = any.split(',').map(Number);
  return { type: 'status', operator: compared.operator === 'equals' ? 'in' : 'notIn', value };
}

function numeric(type: string, { operator, right }: Compared): Fields | null {
  const value = Number(right);
  return Number.isFinite(value) ? { type, operator, value } : null;
}

function expiryOf({ operator, right }: Compared): Fields | null {
  const [, amount, unit = ''] = /^(\d+)(h|m|s)$/.exec(right) ?? [];
  const hours = HOURS[unit];
  if (hours === undefined) return null;
  const value = Math.round((Number(amount) * hours) / HOURS_PER_DAY);
  return { type: 'tls', name: 'daysUntilExpiry', operator, value };
}

/** `[BODY]`, `[BODY].path`, and `len` and `has` around them. */
function contentOf(left: string, { operator, sign, right }: Compared): Fields | null {
  const [, wrapped, inner = left] = /^(len|has)\((.+)\)$/.exec(left) ?? [];
  if (!inner.startsWith('[BODY]')) return null;
  const rest = inner.slice('[BODY]'.length);
  if (rest !== '' && !/^[.[]/.test(rest)) return null;
  const source = rest === '' ? { type: 'body' } : { type: 'jsonPath', path: `$${rest}` };
  if (wrapped === 'has') return { ...source, operator: right === 'true' ? 'exists' : 'notExists' };
  if (wrapped === 'len') {
    const path = `$${rest}`;
    return sign === '=='
      ? { type: 'jsonPath', path, operator: 'lengthEquals', value: Number(right) }
      : null;
  }
  return comparisonOf(source, operator, right);
}

function comparisonOf(source: Fields, operator: string, right: string): Fields | null {
  const isOrder = operator.includes('Than');
  if (isOrder) {
    const value = Number(right);
    return Number.isFinite(value) ? { ...source, operator, value } : null;
  }
  const isEqual = operator === 'equals';
  const pattern = /^pat\((.*)\)$/.exec(right)?.[1];
  if (pattern !== undefined)
    return { ...source, operator: isEqual ? 'matches' : 'notMatches', value: globOf(pattern) };
  const any = /^any\((.*)\)$/.exec(right)?.[1];
  if (any !== undefined) {
    const value = any.split(',').map((item) => item.trim());
    return { ...source, operator: isEqual ? 'in' : 'notIn', value };
  }
  return { ...source, operator, value: right };
}

function globOf(pattern: string): string {
  const escaped = pattern.trim().replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`);
  return `(?s)^${escaped.replaceAll('*', '.*').replaceAll('?', '.')}$`;
}

/** Texts of the shared parts of forms. */
import type { AssertionOperator } from '../../../../contracts/definition';
import type { AssertionType } from './assertion-draft';

export const ASSERTION_TYPE_WORDS: Readonly<Record<AssertionType, string>> = {
  status: 'Status code',
  responseTime: 'Response time (ms)',
  jsonPath: 'JSON path',
  header: 'Header',
  body: 'Body text',
  bodySize: 'Body size (bytes)',
  timing: 'Phase (ms)',
  redirect: 'Redirects',
  tls: 'Certificate',
  jsonSchema: 'JSON schema',
};

export const OPERATOR_WORDS: Readonly<Record<AssertionOperator, string>> = {
  equals: 'equals',
  notEquals: 'does not equal',
  lessThan: 'is less than',
  lessThanOrEqual: 'is at most',
  greaterThan: 'is greater than',
  greaterThanOrEqual: 'is at least',
  contains: 'contains',
  notContains: 'does not contain',
  startsWith: 'starts with',
  endsWith: 'ends with',
  matches: 'matches regex',
  notMatches: 'does not match regex',
  in: 'is one of',
  notIn: 'is not one of',
  exists: 'exists',
  notExists: 'does not exist',
  isEmpty: 'is empty',
  isNotEmpty: 'is not empty',
  typeIs: 'has type',
  lengthEquals: 'has length',
};

/** Labels of the facts that assertions can check: about certificates, phases and redirects. */
export const FACT_WORDS: Readonly<Record<string, string>> = {
  daysUntilExpiry: 'days until it expires',
  version: 'TLS version',
  issuer: 'issuer',
  trusted: 'is trusted',
  dns: 'name resolution',
  connect: 'connection',
  tls: 'TLS handshake',
  ttfb: 'first byte',
  download: 'download',
  count: 'number of redirects',
  finalUrl: 'final URL',
};

export const MATCH_WORDS = {
  first: 'first match',
  every: 'every match',
  any: 'any match',
  count: 'number of matches',
} as const;

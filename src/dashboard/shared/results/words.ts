/** The words of results that the pages of monitors and of scenarios show alike. */
import type { Result } from '../data/api-types';
import type { PhaseName } from './measured';

export const PHASE_WORDS: Readonly<Record<PhaseName, string>> = {
  dns: 'DNS',
  connect: 'Connect',
  tls: 'TLS',
  ttfb: 'Waiting',
  download: 'Download',
};

type FailureCode = NonNullable<Result['failure']>['code'];

export const FAILURE_WORDS: Readonly<Record<FailureCode, string>> = {
  dns_error: 'The name was not resolved',
  connection_refused: 'The connection was refused',
  connection_reset: 'The connection was cut',
  connection_timeout: 'No connection in time',
  tls_error: 'TLS failed',
  timeout: 'No answer in time',
  too_many_redirects: 'Too many redirects',
  body_too_large: 'The body is too large',
  invalid_response: 'The answer is no valid HTTP',
  blocked_target: 'The target is not allowed',
  assertion_failed: 'An assertion failed',
  extraction_failed: 'An extraction found nothing',
  template_error: 'A reference can not be filled in',
  secret_missing: 'A secret is missing',
  region_unavailable: 'No worker in the region',
  worker_lost: 'The worker was lost',
  missed: 'Not run',
  cancelled: 'Cancelled',
  internal_error: 'Keepwatch failed itself',
};

export const RESULT_TEXT = {
  request: 'Request',
  response: 'Response',
  timing: 'Timing',
  assertions: 'Assertions',
  attempts: 'Attempts',
  body: 'Beginning of the body',
  wholeBody: 'Body',
  certificate: 'Certificate',
  noAnswer: 'There was no answer.',
  nothingSent: 'Nothing was sent.',
  noAssertions: 'No assertion was reached.',
  expected: 'Expected',
  actual: 'Actual',
  condition: 'Condition',
  held: 'Held',
  failed: 'Failed',
  softlyFailed: 'Failed (degraded only)',
  total: 'Total',
} as const;

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
  dns_error: 'DNS lookup failed',
  connection_refused: 'Connection refused',
  connection_reset: 'Connection reset',
  connection_timeout: 'Connection timed out',
  tls_error: 'TLS failed',
  timeout: 'Timed out',
  too_many_redirects: 'Too many redirects',
  body_too_large: 'Response too large',
  invalid_response: 'Invalid HTTP response',
  blocked_target: 'URL not allowed',
  assertion_failed: 'Assertion failed',
  extraction_failed: 'Extraction failed',
  template_error: 'Undefined reference',
  secret_missing: 'Secret missing',
  region_unavailable: 'No probe online in this region',
  worker_lost: 'Probe lost',
  missed: 'Missed',
  cancelled: 'Cancelled',
  internal_error: 'Internal error',
  heartbeat_late: 'Late',
  heartbeat_missed: 'No ping',
  job_failed: 'Job failed',
  run_too_long: 'Run too long',
  run_too_short: 'Run too short',
  pings_unavailable: 'Pings not taken',
};

export const RESULT_TEXT = {
  request: 'Request',
  response: 'Response',
  timing: 'Timing',
  assertions: 'Assertions',
  attempts: 'Attempts',
  body: 'Body (beginning)',
  wholeBody: 'Body',
  certificate: 'Certificate',
  exitCode: 'Exit code',
  output: 'Output',
  noAnswer: 'No response.',
  nothingSent: 'Request not sent.',
  noAssertions: 'No assertions were evaluated.',
  expected: 'Expected',
  actual: 'Actual',
  condition: 'Condition',
  held: 'Passed',
  failed: 'Failed',
  softlyFailed: 'Failed (degraded only)',
  total: 'Total',
} as const;

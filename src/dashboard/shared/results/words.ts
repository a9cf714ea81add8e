/** The words of results that the pages of monitors and of scenarios show alike. */
import type { PhaseName } from './measured';

export const PHASE_WORDS: Readonly<Record<PhaseName, string>> = {
  dns: 'DNS',
  connect: 'Connect',
  tls: 'TLS',
  ttfb: 'Waiting',
  download: 'Download',
};

export const RESULT_TEXT = {
  request: 'Request',
  response: 'Response',
  timing: 'Timing',
  assertions: 'Assertions',
  attempts: 'Attempts',
  lastKept: 'Headers, timing and body are kept for the last attempt.',
  body: 'Body (beginning)',
  wholeBody: 'Body',
  certificate: 'Certificate',
  exitCode: 'Exit code',
  output: 'Output',
  noResponse: 'No response.',
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

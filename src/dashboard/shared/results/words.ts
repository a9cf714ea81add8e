/** Texts about results, for the pages of monitors and scenarios. */
import type { PhaseName } from './measured';

export const PHASE_WORDS: Readonly<Record<PhaseName, string>> = {
  dns: 'DNS',
  connect: 'Connect',
  tls: 'TLS',
  ttfb: 'Waiting',
  download: 'Download',
};

export const RESULT_TEXT = {
  response: 'Response',
  assertions: 'Assertions',
  wholeBody: 'Body',
  output: 'Output',
  held: 'Passed',
  failed: 'Failed',
} as const;

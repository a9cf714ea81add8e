/** Texts about results, for the pages of monitors and scenarios. */
import type { PhaseField } from '../../../contracts/outcome';

export const PHASE_WORDS: Readonly<Record<PhaseField, string>> = {
  dnsMs: 'DNS',
  connectMs: 'Connect',
  tlsMs: 'TLS',
  ttfbMs: 'Waiting',
  downloadMs: 'Download',
};

export const RESULT_TEXT = {
  response: 'Response',
  assertions: 'Assertions',
  wholeBody: 'Body',
  output: 'Output',
  held: 'Passed',
  failed: 'Failed',
  compare: 'Compare with last passing',
} as const;

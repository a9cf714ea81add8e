/** Describes failures in the same words everywhere: a name for each code, and shared sentences. Pure. */
import type { FailureCode, Phase } from '../../contracts/outcome';

/** The title of each failure, in two or three words. */
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
  secret_invalid: 'Secret not usable',
  auth_failed: 'No access token',
  proxy_failed: 'Proxy failed',
  region_unavailable: 'No probe picked up the check',
  worker_lost: 'Probe lost',
  missed: 'Missed',
  cancelled: 'Cancelled',
  internal_error: 'Internal error',
  not_possible_here: 'Not possible in this region',
  registry_unavailable: 'Registry unavailable',
  heartbeat_late: 'Late',
  heartbeat_missed: 'No ping',
  job_failed: 'Job failed',
  run_too_long: 'Run too long',
  run_too_short: 'Run too short',
  pings_unavailable: 'Pings not received',
};

const WHILE: Readonly<Record<Phase, string>> = {
  prepare: 'preparing the request',
  dns: 'looking up the host name',
  connect: 'connecting',
  tls: 'negotiating TLS',
  send: 'sending the request',
  ttfb: 'waiting for the response',
  download: 'reading the response',
  assert: 'evaluating the response',
};

/** Returns a sentence like `Timed out after 3 s while waiting for the response.` */
export function timedOutSentence(phase: Phase, timeoutMs: number): string {
  const seconds = Number((timeoutMs / 1_000).toFixed(3));
  return `${FAILURE_WORDS.timeout} after ${seconds} s while ${WHILE[phase]}.`;
}

/** Returns a sentence for a failed DNS lookup. `problem` is the part after the host name. */
export function lookupSentence(host: string, problem: string): string {
  return `${FAILURE_WORDS.dns_error}: ${host} ${problem}.`;
}

export function refusedSentence(port: number): string {
  return `${FAILURE_WORDS.connection_refused} on port ${port}.`;
}

/** Sentences for checks that no probe completed. */
export const LOSS_SENTENCES = {
  region_unavailable: 'No probe picked up this check in time.',
  worker_lost: 'The probe was lost before it reported.',
  internal_error: `${FAILURE_WORDS.internal_error}: the check could not be prepared; nothing was sent.`,
} as const;

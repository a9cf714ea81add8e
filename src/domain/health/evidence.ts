/**
 * Evidence: the headers and the start of the body of a request and its response. Stored for failures, for the last
 * passing result of each region, and for the last passing result before a failure. Pure.
 */
import type { NamedValue } from '../../contracts/definition';
import type { StepOutcome } from '../../contracts/outcome';

export interface Evidence {
  readonly requestHeaders: readonly NamedValue[];
  readonly responseHeaders: readonly NamedValue[];
  readonly bodyPreview: string | null;
  readonly truncated: boolean;
}

/** Returns the evidence. null means that no response arrived, or that the response was not stored. */
export function readEvidence({ request, response }: StepOutcome): Evidence | null {
  if (response?.headers === undefined) return null;
  const { headers: responseHeaders, bodyPreview, truncated } = response;
  return { requestHeaders: request?.headers ?? [], responseHeaders, bodyPreview, truncated };
}

/** Returns the outcome with the evidence that `readEvidence` returned. */
export function withEvidence(outcome: StepOutcome, evidence: Evidence | null): StepOutcome {
  const { request, response } = outcome;
  if (evidence === null || request === null || response === null) return outcome;
  const { requestHeaders, responseHeaders, bodyPreview, truncated } = evidence;
  return {
    ...outcome,
    request: { ...request, headers: requestHeaders },
    response: { ...response, headers: responseHeaders, bodyPreview, truncated },
  };
}

export function withoutHeaders(outcome: StepOutcome): StepOutcome {
  const { request, response } = outcome;
  if (request?.headers === undefined && response?.headers === undefined) return outcome;
  return { ...outcome, request: bare(request), response: bare(response) };
}

export function withoutEvidence(outcome: StepOutcome): StepOutcome {
  const rest = withoutHeaders(outcome);
  const { response } = rest;
  if (response === null || response.bodyPreview === null) return rest;
  return { ...rest, response: { ...response, bodyPreview: null, truncated: false } };
}

/** True if the check passed, even if it was degraded. */
export function isPassing({ status }: Pick<StepOutcome, 'status'>): boolean {
  return status === 'up' || status === 'degraded';
}

/**
 * Returns the outcome in the form that is stored permanently. For passing outcomes, the evidence is removed, because it
 * is stored separately.
 */
export function toStoredOutcome(outcome: StepOutcome): StepOutcome {
  return isPassing(outcome) ? withoutEvidence(outcome) : outcome;
}

function bare<Facts extends { readonly headers?: unknown }>(facts: Facts | null) {
  if (facts === null) return null;
  const { headers: _headers, ...rest } = facts;
  return rest;
}

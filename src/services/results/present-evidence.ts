/** Converts the measurements of a step to the form that /v1 returns. Headers are null if they are not stored. */
import {
  mapPhases,
  type RequestFacts,
  type ResponseFacts,
  type Timings,
} from '../../contracts/outcome';
import type { ResultResponse } from '../../schemas/responses/checks';

export function presentRequest(request: RequestFacts | null): ResultResponse['request'] {
  return request === null ? null : { ...request, headers: request.headers ?? null };
}

export function presentResponse(response: ResponseFacts | null): ResultResponse['response'] {
  return response === null ? null : { ...response, headers: response.headers ?? null };
}

/** Converts the phases of a request. A phase is null if an older probe did not measure it. */
export function presentTimings(timings: Timings | null): ResultResponse['timings'] {
  if (timings === null) return null;
  return { ...mapPhases((field) => timings[field] ?? null), totalMs: timings.totalMs };
}

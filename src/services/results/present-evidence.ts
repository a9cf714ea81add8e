/** The request and response of a step as /v1 returns them. Headers are null if they are not stored. */
import type { RequestFacts, ResponseFacts } from '../../contracts/outcome';
import type { ResultResponse } from '../../schemas/responses/checks';

export function presentRequest(request: RequestFacts | null): ResultResponse['request'] {
  return request === null ? null : { ...request, headers: request.headers ?? null };
}

export function presentResponse(response: ResponseFacts | null): ResultResponse['response'] {
  return response === null ? null : { ...response, headers: response.headers ?? null };
}

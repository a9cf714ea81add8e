/** What a step sent and got, as /v1 returns it; headers are null where they are not kept. */
import type { RequestFacts, ResponseFacts } from '../../contracts/outcome';
import type { ResultResponse } from '../../schemas/responses/checks';

export function presentRequest(request: RequestFacts | null): ResultResponse['request'] {
  return request === null ? null : { ...request, headers: request.headers ?? null };
}

export function presentResponse(response: ResponseFacts | null): ResultResponse['response'] {
  return response === null ? null : { ...response, headers: response.headers ?? null };
}

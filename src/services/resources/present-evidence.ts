/** What a step sent and got, as /v1 answers it; headers are null where they are not kept. */
import type { NamedValue } from '../../contracts/definition';
import type { RequestFacts, ResponseFacts } from '../../contracts/outcome';

export type RequestResponse = Omit<RequestFacts, 'headers'> & {
  readonly headers: readonly NamedValue[] | null;
};

export type ResponseResponse = Omit<ResponseFacts, 'headers'> & {
  readonly headers: readonly NamedValue[] | null;
};

export function presentRequest(request: RequestFacts | null): RequestResponse | null {
  return request === null ? null : { ...request, headers: request.headers ?? null };
}

export function presentResponse(response: ResponseFacts | null): ResponseResponse | null {
  return response === null ? null : { ...response, headers: response.headers ?? null };
}

/** Sends the requests of the pages to /v1. A refusal becomes an ApiProblem with the paths of the faulty fields. */
import { parseJson } from '../../../contracts/json';
import { sendWithRetries } from './send-with-retries';

export { withQuery } from './with-query';

interface Fault {
  readonly path: string;
  readonly code: string;
  readonly message: string;
}

interface ProblemBody {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly Fault[];
  readonly requestId?: string;
}

/** A problem document (RFC 9457), or a request that did not reach the service (`status` 0). */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors: readonly Fault[];
  /** The ID of the request in the service's log. */
  readonly requestId: string | null;

  constructor(given: ProblemBody) {
    super(given.detail);
    this.status = given.status;
    this.code = given.code;
    this.errors = given.errors ?? [];
    this.requestId = given.requestId ?? null;
  }
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Sent {
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  /** The version that was read. If a newer version exists, the service refuses the write with 412. */
  readonly ifVersion?: number | undefined;
  /**
   * True means that the request contains a typed password. A 401 then means a wrong password and not an ended session.
   */
  readonly hasPassword?: boolean | undefined;
}

/** The code for a response that came from a proxy, for example, instead of the service. */
export const UNREADABLE = 'unreadable';

const FACTORS_PAGE = '/settings/factors';

const NOT_REACHED = {
  status: 0,
  code: 'not_reached',
  detail: 'Check your connection and try again.',
};

/**
 * Sends a request. Returns null for a response without a body. Throws an ApiProblem if the service refuses the request
 * or cannot be reached. After a 401, opens the login page. Repeats a write that the service defers.
 */
export async function request<T>(method: Method, path: string, sent: Sent = {}): Promise<T> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (method !== 'GET') headers['Content-Type'] = 'application/json';
  if (sent.ifVersion !== undefined) headers['If-Match'] = `"${sent.ifVersion}"`;
  const init: RequestInit = { method, headers, signal: sent.signal ?? null };
  if (sent.body !== undefined) init.body = JSON.stringify(sent.body);
  const send = method === 'GET' ? fetch : sendWithRetries;
  const response = await send(path, init).catch((error: unknown) => {
    if (sent.signal?.aborted === true) throw error;
    throw new ApiProblem(NOT_REACHED);
  });
  const text = await response.text();
  const body: unknown = parseJson(text) ?? null;
  if (response.ok) return body as T;
  if (response.status === 401 && sent.hasPassword !== true) leadToLogin();
  const refusal = toProblem(response.status, body);
  if (refusal.code === 'second_factor_required' && method === 'GET') openFactorsPage();
  throw refusal;
}

export function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return request('GET', path, { signal });
}

function leadToLogin(): void {
  const { pathname, search } = window.location;
  window.location.assign(`/login?next=${encodeURIComponent(pathname + search)}`);
}

/** Opens the page for second factors, because all other requests are refused until the person has one. */
function openFactorsPage(): void {
  if (window.location.pathname !== FACTORS_PAGE) window.location.assign(FACTORS_PAGE);
}

function toProblem(status: number, body: unknown): ApiProblem {
  if (!isProblem(body)) {
    const detail = `Unexpected response (status ${status}).`;
    return new ApiProblem({ status, code: UNREADABLE, detail });
  }
  return new ApiProblem(body);
}

function isProblem(body: unknown): body is ProblemBody {
  return typeof body === 'object' && body !== null && 'code' in body && 'detail' in body;
}

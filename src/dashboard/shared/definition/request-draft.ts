/** The request of a monitor or step in a form. Bodies omit default values. */
import { DEFAULT_WARN_DAYS } from '../../../contracts/certificates';
import { ASSERTION_OPERATORS } from '../../../contracts/definition';
import { HTTP_VERSIONS, type HttpVersion } from '../../../contracts/definitions/http-version';
import { IP_FAMILIES, type IpFamily } from '../../../contracts/definitions/ip-family';
import { readList, readRecord, readText } from '../../../schemas/loose';
import { type AuthDraft, authBody, readAuth } from '../auth/auth-draft';
import { type BodyDraft, bodyFields, readBody } from '../body/body-draft';
import {
  ASSERTION_TYPES,
  type AssertionDraft,
  fromAssertion,
  type GivenAssertion,
  toAssertion,
} from '../form/assertions/assertion-draft';
import { type HeaderRow, readRows, toRecord } from '../form/rows/rows';
import { readTls, type TlsDraft, tlsFields } from '../tls/tls-draft';
import { filled } from './definition-draft';
import type { Values } from './options';

export interface RequestDraft {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly HeaderRow[];
  readonly auth: AuthDraft;
  readonly body: BodyDraft;
  readonly assertions: readonly AssertionDraft[];
  readonly tls: TlsDraft;
  /** The name of the proxy. Empty for no proxy. */
  readonly proxy: string;
  /** null if the IP version is not set. */
  readonly ipFamily: IpFamily | null;
  /** null if the HTTP version is not set. */
  readonly httpVersion: HttpVersion | null;
  readonly warnDays: readonly number[];
}

export function readRequest(given: Values): RequestDraft {
  return {
    method: readText(given['method']).toUpperCase() || 'GET',
    url: readText(given['url']),
    headers: readRows(given['headers']),
    auth: readAuth(given['auth']),
    body: readBody(given),
    assertions: readList(given['assertions']).filter(isAssertion).map(fromAssertion),
    tls: readTls(given['tls']),
    ...readRoute(given),
    warnDays: readWarnDays(given['tls']),
  };
}

export function requestBody(draft: RequestDraft): Values {
  const { method, url, headers, auth, body, assertions, tls, warnDays } = draft;
  return {
    method,
    url: url.trim(),
    ...filled('headers', toRecord(headers)),
    ...authBody(auth),
    ...bodyFields(body),
    ...routeBody(draft),
    ...(assertions.length === 0 ? {} : { assertions: assertions.map(toAssertion) }),
    ...filled('tls', { ...tlsFields(tls), ...readRecord(warnDaysBody(warnDays)['tls']) }),
  };
}

/** True if the body is shown. A typed body stays visible even for a method without a body. */
export function mayHaveBody({ method, body }: RequestDraft): boolean {
  return (method !== 'GET' && method !== 'HEAD') || body.mode !== 'none';
}

/** The options that decide how a request reaches its target. */
export type RouteDraft = Pick<RequestDraft, 'proxy' | 'ipFamily' | 'httpVersion'>;

export function readRoute(given: Values): RouteDraft {
  return {
    proxy: readText(given['proxy']),
    ipFamily: readIpFamily(given['ipFamily']),
    httpVersion: readHttpVersion(given['httpVersion']),
  };
}

/** Returns the fields that are set. */
export function routeBody({ proxy, ipFamily, httpVersion }: RouteDraft): Values {
  return {
    ...(proxy.trim() === '' ? {} : { proxy: proxy.trim() }),
    ...(ipFamily === null ? {} : { ipFamily }),
    ...(httpVersion === null ? {} : { httpVersion }),
  };
}

export function readHttpVersion(given: unknown): HttpVersion | null {
  return HTTP_VERSIONS.find((known) => known === given) ?? null;
}

export function readIpFamily(given: unknown): IpFamily | null {
  return IP_FAMILIES.find((known) => known === given) ?? null;
}

/** Returns the warning days for a body. Empty if they are the default. */
export function warnDaysBody(warnDays: readonly number[]): Values {
  return warnDays.join() === DEFAULT_WARN_DAYS.join() ? {} : { tls: { warnDays } };
}

export function readWarnDays(tls: unknown): readonly number[] {
  const { warnDays } = readRecord(tls);
  if (warnDays === undefined) return DEFAULT_WARN_DAYS;
  return readList(warnDays).filter((days) => typeof days === 'number');
}

/** Checks only the type and the operator. The schema of the API checks the rest. */
function isAssertion(value: unknown): value is GivenAssertion {
  const { type, operator } = readRecord(value);
  const isKnownType = ASSERTION_TYPES.some((known) => known === type);
  return isKnownType && ASSERTION_OPERATORS.some((known) => known === operator);
}

/**
 * Sends requests to trusted issuers of tokens, without redirects. URLs in an issuer's documents must be public or
 * allowed, so that they cannot lead into the internal network.
 */
import { lookup as lookUpName } from 'node:dns';
import { type IncomingMessage, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';

/** Time limit of each request, including its response. */
const DEADLINE_MS = 3_000;
const BODY_BYTES_MAX = 256 * 1024;
const SERVER_ERROR = 500;

/** Thrown if the issuer does not respond, or if its response is unusable. */
export class IssuerAway extends Error {}

export interface IssuerRequestOptions {
  /** PEM certificates of authorities that are trusted in addition to the public ones. */
  readonly authorities?: readonly string[];
  /** Time limit for each request. */
  readonly deadlineMs?: number;
  /**
   * Returns the reason why a host must not be contacted, or null. Is called for every host except the issuer's. The
   * host is a name or an IP address.
   */
  readonly refuseHost?: (host: string, port: number) => string | null;
}

interface IssuerRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface IssuerResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * Sends a request. Throws IssuerAway if the issuer does not respond, or if the status of its response is 500 or above.
 */
export type SendToIssuer = (url: string, request?: IssuerRequest) => Promise<IssuerResponse>;

/**
 * @param issuer The URL of the issuer. Its host is always allowed. If the issuer uses https, every request must use
 * https.
 */
export function createIssuerRequests(
  issuer: string,
  { authorities = [], deadlineMs = DEADLINE_MS, refuseHost = () => null }: IssuerRequestOptions,
): SendToIssuer {
  const ca = authorities.length === 0 ? undefined : [...rootCertificates, ...authorities];
  const own = new URL(issuer);
  return async (url, request = {}) => {
    try {
      const target = new URL(url);
      if (own.protocol === 'https:' && target.protocol !== 'https:')
        throw new IssuerAway('it is not served over https');
      const isOwn = target.hostname === own.hostname;
      if (!isOwn) requireAllowed(target, refuseHost);
      const lookup = isOwn ? undefined : guardedLookup(readPort(target), refuseHost);
      const response = await send(target, request, { ca, deadlineMs, lookup });
      const text = await readText(response);
      const status = response.statusCode ?? 0;
      if (status >= SERVER_ERROR) throw new IssuerAway(`it responds with ${status}`);
      return { status, headers: flatten(response), text };
    } catch (error) {
      throw new IssuerAway(`${withoutQuery(url)}: ${describe(error)}`);
    }
  };
}

function readPort({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

type RefuseHost = NonNullable<IssuerRequestOptions['refuseHost']>;

function requireAllowed(target: URL, refuseHost: RefuseHost): void {
  const host = target.hostname.replaceAll(/^\[|\]$/g, '');
  const refusal = refuseHost(host, readPort(target));
  if (refusal !== null) throw new IssuerAway(refusal);
}

/** Looks up a name and checks its IP addresses right before the connection. */
function guardedLookup(port: number, refuseHost: RefuseHost): LookupFunction {
  return (name, options, callback) => {
    lookUpName(name, { ...options, all: true }, (error, addresses) => {
      const refusal = addresses?.map(({ address }) => refuseHost(address, port)).find(isText);
      const failure = error ?? (refusal === undefined ? null : new Error(refusal));
      const [first] = addresses ?? [];
      if (failure !== null || first === undefined)
        callback(failure ?? new Error('the name leads to no IP address'), '', 0);
      else if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

function isText(value: string | null): value is string {
  return value !== null;
}

interface Way {
  readonly ca: string[] | undefined;
  readonly deadlineMs: number;
  readonly lookup: LookupFunction | undefined;
}

/** Sends a request on a new connection. An issuer may close a used connection just before the next request. */
function send(
  target: URL,
  { method = 'GET', headers = {}, body }: IssuerRequest,
  { ca, deadlineMs, lookup }: Way,
): Promise<IncomingMessage> {
  const options = {
    method,
    headers: { accept: 'application/json', 'user-agent': 'keepwatch', ...headers },
    agent: false,
    signal: AbortSignal.timeout(deadlineMs),
    ...(lookup === undefined || isIP(target.hostname) !== 0 ? {} : { lookup }),
  } as const;
  return new Promise((resolve, reject) => {
    const request =
      target.protocol === 'https:'
        ? requestByHttps(target, { ...options, ca }, resolve)
        : requestByHttp(target, options, resolve);
    request.on('error', reject);
    request.end(body);
  });
}

async function readText(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of response) {
    if (!Buffer.isBuffer(piece)) continue;
    bytes += piece.length;
    if (bytes > BODY_BYTES_MAX) throw new IssuerAway(`longer than ${BODY_BYTES_MAX} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function flatten({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}

/** Removes the query of a URL, which can contain secrets. */
function withoutQuery(url: string): string {
  return url.replace(/[?#].*$/s, '');
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

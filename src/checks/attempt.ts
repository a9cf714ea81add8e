/**
 * Runs one try of a request: all its redirects, each on its own connection, within one deadline. Returns a failure of
 * the target as a value.
 */
import type { HttpVersion } from '../contracts/definitions/http-version';
import type { IpFamily } from '../contracts/definitions/ip-family';
import type { ProxyServer } from '../contracts/definitions/proxy';
import type { Failure, Timings, TlsFacts } from '../contracts/outcome';
import { decodeBodyText } from '../domain/text/decode-text';
import type { AuthSession } from './auth/auth-session';
import { type BodyCollector, createBodyCollector } from './collect-body';
import type { CookieSession } from './cookie-session';
import { createDeadline, type Deadline } from './deadline';
import { DECODED_BYTES_MAX, decodeBody, type ReadBody } from './decode-body';
import { exchange } from './exchange';
import { listTransferCodings, type ResponseHead, splitList } from './http/response-head';
import type { WireRequest } from './http/write-request';
import { exchangeHttp2 } from './http2/exchange-http2';
import { type ConnectionDependencies, openConnection } from './open-connection';
import { createPhaseClock, type PhaseClock } from './phase-clock';
import { followRedirect, type HoldSecrets } from './redirects';
import { Http11RequiredFailure, StepFailure } from './step-failure';
import { readHost } from './target-guard';
import type { HandshakeRules, RequestTls } from './tls/handshake-rules';

/**
 * Limit for the body before decoding. A little more than the limit after decoding, because an encoded body may be
 * slightly longer than the decoded body.
 */
const ENCODED_BYTES_MAX = DECODED_BYTES_MAX + 64 * 1024;

/**
 * Maximum number of `Set-Cookie` lines that are parsed per response, because parsing takes time. A run keeps far fewer
 * cookies.
 */
const COOKIE_LINES_MAX = 500;

export interface AttemptPlan {
  readonly request: WireRequest;
  readonly timeoutMs: number;
  readonly holdSecrets: HoldSecrets;
  /** Signs requests to the origin of the first URL. null means that requests are not signed. */
  readonly auth: AuthSession | null;
  /** null means that no cookies are sent or stored. */
  readonly cookies: CookieSession | null;
  /**
   * The maximum number of redirects. One more redirect is a failure. If absent, redirects are not followed, and the
   * redirect itself is the response.
   */
  readonly redirectsMax?: number | undefined;
  /** The TLS settings. If absent, server certificates are verified as usual, and no client certificate is presented. */
  readonly tls?: RequestTls | null | undefined;
  /** The proxy. If absent, the request goes directly to the target. */
  readonly proxy?: ProxyServer | null | undefined;
  /** The version of IP that must be used. If absent, IPv4 and IPv6 are both allowed. */
  readonly ipFamily?: IpFamily | undefined;
  /** The version of HTTP. If absent, HTTP/1.1 is used. */
  readonly httpVersion?: HttpVersion | undefined;
}

export interface TargetResponse {
  readonly head: ResponseHead;
  readonly url: URL;
  readonly remoteIp: string;
  readonly redirects: number;
  /** The decoded body, or only a part of it if the response is incomplete or could not be decoded. */
  readonly text: string;
  readonly bytes: number;
  /** True if the body is longer than the part that was read. */
  readonly isCut: boolean;
}

export interface AttemptResult {
  readonly startedAt: string;
  /** The first request of the attempt. Present even if the request was not sent. */
  readonly sent: WireRequest;
  readonly timings: Timings;
  readonly failure: Failure | null;
  /** The last response whose headers arrived. After a failure, it may be incomplete. */
  readonly response: TargetResponse | null;
  readonly tls: TlsFacts | null;
}

/** The facts known about an attempt so far. */
interface Progress {
  /** The first request, in the form in which it was sent last. Authentication may send it more than once. */
  sent: WireRequest | null;
  hop: { readonly request: WireRequest; readonly remoteIp: string } | null;
  head: ResponseHead | null;
  readonly received: BodyCollector;
  /** True if more bytes were received than were kept. */
  isCut: boolean;
  redirects: number;
  body: ReadBody | null;
  tls: TlsFacts | null;
}

interface AttemptTools extends ConnectionDependencies {
  readonly tls?: HandshakeRules | undefined;
  readonly proxy: ProxyServer | null;
  readonly ipFamily: IpFamily;
  readonly httpVersion: HttpVersion;
  readonly cookies: CookieSession | null;
  readonly clock: PhaseClock;
  readonly deadline: Deadline;
}

/**
 * Sends the request on its own connection. If the version is `auto` and the server refuses HTTP/2 for this request,
 * sends it again by HTTP/1.1.
 */
async function runHop(request: WireRequest, tools: AttemptTools, progress: Progress) {
  try {
    await runOnce(request, tools, progress);
  } catch (error) {
    const mayFallBack = tools.httpVersion === 'auto' && error instanceof Http11RequiredFailure;
    if (!mayFallBack) throw error;
    await runOnce(request, { ...tools, httpVersion: '1.1' }, progress);
  }
}

async function runOnce(request: WireRequest, tools: AttemptTools, progress: Progress) {
  const { clock, deadline, cookies } = tools;
  const { socket, plain, remoteIp, isHttp2 } = await openConnection(request.url, tools, {
    clock,
    deadline,
    onTls: (facts) => {
      progress.tls = facts;
    },
  });
  const send = isHttp2 ? exchangeHttp2 : exchange;
  await send(request, {
    socket,
    plain,
    clock,
    deadline,
    onHead: (head) => {
      progress.hop = { request, remoteIp };
      progress.head = head;
      cookies?.take(request.url, setCookieLines(head));
      progress.received.clear();
      progress.isCut = false;
    },
    onData: (piece) => {
      progress.isCut = !progress.received.add(piece);
      return !progress.isCut;
    },
  });
}

function setCookieLines({ lines }: ResponseHead): readonly string[] {
  const cookies = lines.filter(({ name }) => name === 'set-cookie');
  return cookies.slice(0, COOKIE_LINES_MAX).map(({ value }) => value);
}

/** Adds the cookies for the request's URL. */
function withCookies(
  request: WireRequest,
  cookies: CookieSession | null,
  chain: readonly URL[],
): WireRequest {
  return cookies === null ? request : { ...request, headers: cookies.withCookies(request, chain) };
}

/** Lists the content encodings of the response in the order in which they were applied. */
function listEncodings(head: ResponseHead): readonly string[] {
  return [...splitList(head.headers.get('content-encoding')), ...(listTransferCodings(head) ?? [])];
}

async function readBody(progress: Progress, deadline: Deadline): Promise<ReadBody> {
  const { head, received, isCut } = progress;
  const encodings = head === null ? [] : listEncodings(head);
  const decoded = decodeBody({ bytes: received.bytes(), isCut }, encodings);
  return await deadline.within(decoded, () => undefined);
}

interface Hop {
  readonly request: WireRequest;
  readonly auth: AuthSession | null;
  readonly cookies: CookieSession | null;
  readonly chain: readonly URL[];
}

/**
 * How often a request is repeated with credentials: once after the first challenge, and once more if the nonce has
 * expired by then.
 */
const CHALLENGES_MAX = 2;

/** Sends the request. If the response asks for credentials, sends the request again with them. */
async function runSigned(hop: Hop, tools: AttemptTools, progress: Progress): Promise<void> {
  const { request, auth, cookies, chain } = hop;
  for (let left = CHALLENGES_MAX; ; left -= 1) {
    const signed = auth === null ? request : auth.sign(request);
    const sent = withCookies(signed, cookies, chain);
    if (chain.length === 0) progress.sent = sent;
    await runHop(sent, tools, progress);
    if (left === 0 || auth === null || progress.head === null || !auth.learn(progress.head)) return;
  }
}

/**
 * Returns the TLS rules for a URL. Certificate pins and client certificates apply only to the request's own host, on
 * any scheme and port.
 */
function rulesFor({ tls, request }: AttemptPlan, url: URL): HandshakeRules | undefined {
  return readHost(url) === readHost(request.url) ? tls?.own : tls?.elsewhere;
}

async function runHops(plan: AttemptPlan, tools: AttemptTools, progress: Progress) {
  const chain: URL[] = [];
  let request: WireRequest | null = plan.request;
  while (request !== null) {
    // After a redirect to another origin, all further requests are unsigned, even those back to the first origin.
    const auth = chain.every(({ origin }) => origin === request?.url.origin) ? plan.auth : null;
    const tls = rulesFor(plan, request.url);
    await runSigned({ request, auth, cookies: plan.cookies, chain }, { ...tools, tls }, progress);
    chain.push(request.url);
    const next: WireRequest | null =
      plan.redirectsMax !== undefined && progress.head !== null
        ? await tools.deadline.within(
            followRedirect(request, progress.head, plan.holdSecrets),
            () => undefined,
          )
        : null;
    if (next !== null && progress.redirects >= (plan.redirectsMax ?? 0)) {
      const message = `The target redirects more than ${plan.redirectsMax} times.`;
      throw new StepFailure('too_many_redirects', message, 'ttfb');
    }
    if (next !== null) progress.redirects += 1;
    request = next;
  }
  progress.body = await readBody(progress, tools.deadline);
}

function receivedResponse(progress: Progress): TargetResponse | null {
  const { hop, head, redirects, received } = progress;
  if (hop === null || head === null) return null;
  const { isCut } = progress.body ?? progress;
  const isEncoded = listEncodings(head).length > 0;
  const body = progress.body?.bytes ?? (isEncoded ? Buffer.alloc(0) : received.bytes());
  return {
    head,
    url: hop.request.url,
    remoteIp: hop.remoteIp,
    redirects,
    text: decodeBodyText(body, head.headers.get('content-type') ?? ''),
    bytes: (progress.body?.bytes ?? received.bytes()).length,
    isCut,
  };
}

/** Returns the failure of the work as a value. null means it succeeded. */
export async function catchFailure(work: Promise<void>): Promise<Failure | null> {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof StepFailure) return error.failure;
    throw error;
  }
}

/** Runs the attempt. Never rejects because of the target. Ends at most a moment after its deadline. */
export async function runAttempt(
  plan: AttemptPlan,
  dependencies: ConnectionDependencies,
): Promise<AttemptResult> {
  const startedAt = new Date().toISOString();
  const clock = createPhaseClock();
  const deadline = createDeadline(plan.timeoutMs, clock);
  const { cookies, proxy = null, ipFamily = 'any', httpVersion = '1.1' } = plan;
  const progress: Progress = {
    sent: null,
    hop: null,
    head: null,
    received: createBodyCollector(ENCODED_BYTES_MAX),
    isCut: false,
    redirects: 0,
    body: null,
    tls: null,
  };
  try {
    const route = { proxy, ipFamily, httpVersion };
    const tools = { ...dependencies, ...route, cookies, clock, deadline };
    const failure = await catchFailure(runHops(plan, tools, progress));
    clock.stop();
    const { tls } = progress;
    const response = receivedResponse(progress);
    const sent = progress.sent ?? plan.request;
    return { startedAt, sent, timings: clock.timings(), failure, response, tls };
  } finally {
    deadline.clear();
  }
}

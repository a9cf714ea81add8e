/**
 * Opens a connection: looks up the name, asks the target guard, connects the socket and performs the TLS handshake.
 * Connects only to IP addresses that the guard allows, and checks the IP address of the peer again.
 */
import { isIP, type Socket } from 'node:net';
import type { SecureContext, TLSSocket } from 'node:tls';
import type { HttpVersion } from '../contracts/definitions/http-version';
import type { IpFamily } from '../contracts/definitions/ip-family';
import type { ProxyServer } from '../contracts/definitions/proxy';
import type { FailureCode, TlsFacts } from '../contracts/outcome';
import { isLoopbackName } from '../domain/definitions/private-names';
import {
  connectSentence,
  handshakeSentence,
  lookupFailureSentence,
  noHttp2Sentence,
  noProtocolSentence,
} from '../domain/states/connection-words';
import { type Addresses, connectSocket } from './connect-socket';
import type { Deadline } from './deadline';
import { requireFamily, restrictFamily } from './names/ip-family';
import type { PhaseClock } from './phase-clock';
import { openTunnel } from './proxy/open-tunnel';
import type { ResolveHost } from './resolve-host';
import { readErrorCode, StepFailure } from './step-failure';
import { readHost, readPort, type TargetGuard } from './target-guard';
import { DEFAULT_RULES, type HandshakeRules } from './tls/handshake-rules';
import { describeHandshake, findDistrust } from './tls/judge-handshake';
import { type SecureName, secureSocket } from './tls/secure-socket';

export interface ConnectionDependencies {
  readonly guard: TargetGuard;
  readonly resolveHost: ResolveHost;
  readonly trust: SecureContext;
}

/** What an attempt provides for opening a connection. */
export interface AttemptContext {
  readonly clock: PhaseClock;
  readonly deadline: Deadline;
  /** Called with the certificate as soon as it is known, even if it is rejected. */
  readonly onTls: (facts: TlsFacts) => void;
}

export interface Connection {
  readonly socket: Socket;
  /** The TCP socket below TLS. Without TLS, it is `socket` itself. */
  readonly plain: Socket;
  readonly remoteIp: string;
}

interface Resolved {
  readonly addresses: readonly string[];
  /** The addresses of the IP version whose DNS response has not arrived yet. Rejects with StepFailure. */
  readonly later: Promise<readonly string[]>;
  /** Cancels pending DNS queries. */
  readonly cancel: () => void;
}

async function resolveAddresses(
  { host, lookedUp = host }: Endpoint,
  resolveHost: ResolveHost,
  { clock, deadline }: Pick<AttemptContext, 'clock' | 'deadline'>,
): Promise<Resolved> {
  const nothing = Promise.resolve([]);
  if (isIP(host) !== 0) return { addresses: [host], later: nothing, cancel: () => undefined };
  clock.enter('dns');
  const fail = (error: unknown): never => {
    const sentence = lookupFailureSentence(host, readErrorCode(error));
    throw new StepFailure('dns_error', sentence, 'dns');
  };
  const { addresses, later = nothing, cancel } = resolveHost(lookedUp);
  const first = await deadline.within(addresses.catch(fail), cancel);
  return { addresses: first, later: later.catch(fail), cancel };
}

/**
 * Returns the IP addresses if the guard allows all of them, and throws otherwise. For a loopback name, returns only the
 * allowed addresses, and one of them is enough.
 */
function guardAddresses(
  host: string,
  port: number,
  { addresses, guard }: { addresses: readonly string[]; guard: TargetGuard },
): readonly string[] {
  const open = addresses.filter((address) => guard.checkAddress(address, port) === null);
  const isOpen = open.length === addresses.length || (isLoopbackName(host) && open.length > 0);
  const [refused] = addresses.filter((address) => !open.includes(address));
  if (isOpen || refused === undefined) return open;
  throw blocked(guard.checkAddress(refused, port) ?? '');
}

function blocked(problem: string): StepFailure {
  return new StepFailure('blocked_target', problem, 'connect');
}

const CONNECT_CODES: Readonly<Record<string, FailureCode>> = {
  ECONNREFUSED: 'connection_refused',
  ETIMEDOUT: 'connection_timeout',
  EHOSTUNREACH: 'connection_refused',
  ENETUNREACH: 'connection_refused',
};

function connectFailure(error: unknown, port: number): StepFailure {
  const code = readErrorCode(error);
  const sentence = connectSentence(code, port) ?? 'The connection was reset.';
  return new StepFailure(CONNECT_CODES[code] ?? 'connection_reset', sentence, 'connect');
}

function handshakeFailure(error: unknown, offered: readonly string[] = []): StepFailure {
  const code = readErrorCode(error);
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    const message = 'The connection was closed during the TLS handshake.';
    return new StepFailure('connection_reset', message, 'tls');
  }
  const sentence = noProtocolSentence(code, offered) ?? handshakeSentence(code);
  return new StepFailure('tls_error', sentence, 'tls');
}

/** Performs the TLS handshake. It succeeds even if the certificate is not trusted. Rejects with StepFailure. */
export async function performHandshake(
  plain: Socket,
  name: SecureName,
  { trust, attempt }: { trust: SecureContext; attempt: AttemptContext },
): Promise<TLSSocket> {
  const { clock, deadline, onTls } = attempt;
  const { host, protocols, rules = DEFAULT_RULES } = name;
  clock.enter('tls');
  const secured = await deadline.within(
    secureSocket(plain, name, rules.context ?? trust).catch((error: unknown) => {
      throw handshakeFailure(error, protocols);
    }),
    () => plain.destroy(),
  );
  onTls(describeHandshake(secured, host, rules));
  return secured;
}

/** Returns the connection. Throws StepFailure if its certificate is not trusted. */
export function requireTrust(
  secured: TLSSocket,
  { host = '', rules = DEFAULT_RULES }: Partial<SecureName> = {},
): TLSSocket {
  // Certificates are checked while the connection is open, because they are not available
  // afterwards.
  const distrust = findDistrust(secured, host, rules);
  if (distrust === null) return secured;
  secured.destroy();
  throw new StepFailure('tls_error', distrust, 'tls');
}

/** The host and port that a check connects to. */
export interface Endpoint {
  /** Host without brackets and without the final dot. */
  readonly host: string;
  readonly port: number;
  /** The name to look up, if it differs from the host. Only set for a name that ends with a dot. */
  readonly lookedUp?: string;
}

/** Returns an allowed IP address of the host. Prefers IPv4, which works in more networks. */
export async function findAddress(
  endpoint: Endpoint,
  { guard, resolveHost }: Pick<ConnectionDependencies, 'guard' | 'resolveHost'>,
  attempt: Pick<AttemptContext, 'clock' | 'deadline'>,
): Promise<string> {
  const { host, port } = endpoint;
  const { addresses, later, cancel } = await resolveAddresses(endpoint, resolveHost, attempt);
  // An IPv4 address is enough, so the other DNS response is not awaited.
  const isEnough = addresses.some((one) => isIP(one) === 4);
  if (isEnough) cancel();
  const rest = later.catch(() => []);
  const others = isEnough ? [] : await attempt.deadline.within(rest, cancel);
  const open = guardAddresses(host, port, { addresses: [...addresses, ...others], guard });
  const address = open.find((one) => isIP(one) === 4) ?? open[0];
  if (address !== undefined) return address;
  throw new StepFailure('dns_error', lookupFailureSentence(host, 'ENODATA'), 'dns');
}

/** Connects to one of the host's IP addresses. */
export async function connectToHost(
  endpoint: Endpoint,
  { guard, resolveHost }: Pick<ConnectionDependencies, 'guard' | 'resolveHost'>,
  attempt: Pick<AttemptContext, 'clock' | 'deadline'>,
): Promise<Omit<Connection, 'plain'>> {
  const { host, port } = endpoint;
  const resolved = await resolveAddresses(endpoint, resolveHost, attempt);
  const guardAll = (addresses: readonly string[]) =>
    guardAddresses(host, port, { addresses, guard });
  const later = resolved.later.then(guardAll);
  // Prevents an unhandled rejection if this promise rejects after the connection has succeeded or failed.
  later.catch(() => undefined);
  try {
    const addresses = guardAll(resolved.addresses);
    attempt.clock.enter('connect');
    return await connect({ addresses, later }, port, { guard, attempt });
  } finally {
    resolved.cancel();
  }
}

async function connect(
  addresses: Addresses,
  port: number,
  { guard, attempt }: { guard: TargetGuard; attempt: Pick<AttemptContext, 'clock' | 'deadline'> },
): Promise<Omit<Connection, 'plain'>> {
  const connecting = connectSocket(addresses, port);
  const opened = connecting.connected.catch((error: unknown) => {
    throw error instanceof StepFailure ? error : connectFailure(error, port);
  });
  const { socket, remoteIp } = await attempt.deadline.within(opened, connecting.cancel);
  const refusal = guard.checkAddress(remoteIp, port);
  if (refusal === null) return { socket, remoteIp };
  socket.destroy();
  throw blocked(refusal);
}

interface Tunnelling {
  readonly dependencies: ConnectionDependencies;
  readonly attempt: AttemptContext;
  /** Resolves the proxy's name without the IP version limit of the target. */
  readonly resolveProxy: ResolveHost;
}

/** Connects to an IP address that the guard has allowed, through a proxy. */
async function reachBy(
  proxy: ProxyServer,
  endpoint: Endpoint,
  { dependencies, attempt, resolveProxy }: Tunnelling,
): Promise<Omit<Connection, 'plain'>> {
  const ip = await findAddress(endpoint, dependencies, attempt);
  attempt.clock.enter('connect');
  const { deadline } = attempt;
  const target = { ip, port: endpoint.port };
  return {
    socket: await openTunnel(proxy, target, {
      ...dependencies,
      resolveHost: resolveProxy,
      deadline,
    }),
    remoteIp: ip,
  };
}

interface Opening extends ConnectionDependencies {
  /** Rules for this connection. If absent, the default rules apply. */
  readonly tls?: HandshakeRules | undefined;
  /** null means a direct connection to the target. */
  readonly proxy: ProxyServer | null;
  readonly ipFamily: IpFamily;
  readonly httpVersion: HttpVersion;
}

/** The protocols offered with ALPN, by HTTP version. The preferred one comes first. */
const OFFERED: Readonly<Record<HttpVersion, readonly string[]>> = {
  auto: ['h2', 'http/1.1'],
  '2': ['h2'],
  '1.1': ['http/1.1'],
};

interface HttpConnection extends Connection {
  /** True if the request must use HTTP/2. */
  readonly isHttp2: boolean;
}

/** Opens a connection on which a request to this URL may be sent. Rejects with StepFailure. */
export async function openConnection(
  url: URL,
  { tls: rules = DEFAULT_RULES, proxy, ipFamily, httpVersion, ...given }: Opening,
  attempt: AttemptContext,
): Promise<HttpConnection> {
  const problem = given.guard.checkParsed(url);
  if (problem !== null) throw new StepFailure('blocked_target', problem, 'prepare');
  const host = readHost(url);
  requireFamily(host, ipFamily);
  const endpoint = { host, port: readPort(url), lookedUp: url.hostname };
  const dependencies = { ...given, resolveHost: restrictFamily(given.resolveHost, ipFamily) };
  const { socket, remoteIp } =
    proxy === null
      ? await connectToHost(endpoint, dependencies, attempt)
      : await reachBy(proxy, endpoint, {
          dependencies,
          attempt,
          resolveProxy: given.resolveHost,
        });
  if (url.protocol === 'http:')
    return { socket, plain: socket, remoteIp, isHttp2: httpVersion === '2' };
  const { trust } = dependencies;
  const name = { host: rules.serverName ?? host, protocols: OFFERED[httpVersion], rules };
  const secured = requireTrust(await performHandshake(socket, name, { trust, attempt }), name);
  const isHttp2 = secured.alpnProtocol === 'h2';
  if (httpVersion === '2' && !isHttp2) {
    secured.destroy();
    throw new StepFailure('tls_error', noHttp2Sentence(secured.alpnProtocol), 'tls');
  }
  return { socket: secured, plain: socket, remoteIp, isHttp2 };
}

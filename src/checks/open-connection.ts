/**
 * Name → addresses → guard → socket → TLS: everything before a request may be sent. It connects to
 * exactly the addresses that the guard has seen, and looks at the socket's peer once more.
 */
import { isIP, type Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { FailureCode, TlsFacts } from '../contracts/outcome';
import {
  connectSentence,
  handshakeSentence,
  lookupFailureSentence,
} from '../domain/states/connection-words';
import { type Addresses, connectSocket } from './connect-socket';
import type { Deadline } from './deadline';
import type { PhaseClock } from './phase-clock';
import type { ResolveHost } from './resolve-host';
import { readTlsFacts, reportDistrust, secureSocket } from './secure-socket';
import { errorCodeOf, StepFailure } from './step-failure';
import { hostOf, isLoopbackName, portOf, type TargetGuard } from './target-guard';

export interface ConnectionDependencies {
  readonly guard: TargetGuard;
  readonly resolveHost: ResolveHost;
  readonly trust: SecureContext;
}

/** The attempt that a connection belongs to. */
export interface Attendance {
  readonly clock: PhaseClock;
  readonly deadline: Deadline;
  /** Called as soon as the certificate is known, also when it is refused. */
  readonly onTls: (facts: TlsFacts) => void;
}

export interface Connection {
  readonly socket: Socket;
  /** Below TLS; the socket itself without it. */
  readonly plain: Socket;
  readonly remoteIp: string;
}

interface Resolved {
  readonly addresses: readonly string[];
  /** Of the family whose answer comes later; rejects with StepFailure. */
  readonly later: Promise<readonly string[]>;
  /** Ends what is still being asked for. */
  readonly cancel: () => void;
}

async function resolveAddresses(
  url: URL,
  resolveHost: ResolveHost,
  { clock, deadline }: Attendance,
): Promise<Resolved> {
  const host = hostOf(url);
  const nothing = Promise.resolve([]);
  if (isIP(host) !== 0) return { addresses: [host], later: nothing, cancel: () => undefined };
  clock.enter('dns');
  const fail = (error: unknown): never => {
    const sentence = lookupFailureSentence(host, errorCodeOf(error));
    throw new StepFailure('dns_error', sentence, 'dns');
  };
  const { addresses, later = nothing, cancel } = resolveHost(url.hostname);
  const first = await deadline.within(addresses.catch(fail), cancel);
  return { addresses: first, later: later.catch(fail), cancel };
}

/** One refused address refuses the name; of this machine's own two, one may be open alone. */
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
  const code = errorCodeOf(error);
  const sentence = connectSentence(code, port) ?? 'The connection was reset.';
  return new StepFailure(CONNECT_CODES[code] ?? 'connection_reset', sentence, 'connect');
}

function handshakeFailure(error: unknown): StepFailure {
  const code = errorCodeOf(error);
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    const message = 'The connection was closed during the TLS handshake.';
    return new StepFailure('connection_reset', message, 'tls');
  }
  return new StepFailure('tls_error', handshakeSentence(code), 'tls');
}

async function secure(
  plain: Socket,
  host: string,
  { trust, attendance }: { trust: SecureContext; attendance: Attendance },
): Promise<Socket> {
  const { clock, deadline, onTls } = attendance;
  clock.enter('tls');
  const handshake = secureSocket(plain, host, trust).catch((error: unknown) => {
    throw handshakeFailure(error);
  });
  const secured = await deadline.within(handshake, () => plain.destroy());
  onTls(readTlsFacts(secured, Date.now()));
  if (secured.authorized) return secured;
  // While the connection is there: its certificates go with it.
  const distrust = reportDistrust(secured);
  secured.destroy();
  throw new StepFailure('tls_error', distrust, 'tls');
}

/** A socket that is connected to one of the addresses of the URL. */
async function reach(
  url: URL,
  { guard, resolveHost }: ConnectionDependencies,
  attendance: Attendance,
): Promise<Omit<Connection, 'plain'>> {
  const [host, port] = [hostOf(url), portOf(url)];
  const resolved = await resolveAddresses(url, resolveHost, attendance);
  const guardAll = (addresses: readonly string[]) =>
    guardAddresses(host, port, { addresses, guard });
  const later = resolved.later.then(guardAll);
  // The connection may be there, or refused, before.
  later.catch(() => undefined);
  try {
    const addresses = guardAll(resolved.addresses);
    attendance.clock.enter('connect');
    return await connect({ addresses, later }, port, { guard, attendance });
  } finally {
    resolved.cancel();
  }
}

async function connect(
  addresses: Addresses,
  port: number,
  { guard, attendance }: { guard: TargetGuard; attendance: Attendance },
): Promise<Omit<Connection, 'plain'>> {
  const connecting = connectSocket(addresses, port);
  const opened = connecting.connected.catch((error: unknown) => {
    throw error instanceof StepFailure ? error : connectFailure(error, port);
  });
  const { socket, remoteIp } = await attendance.deadline.within(opened, connecting.cancel);
  const refusal = guard.checkAddress(remoteIp, port);
  if (refusal === null) return { socket, remoteIp };
  socket.destroy();
  throw blocked(refusal);
}

/** A connection that may carry a request to this address; rejects with StepFailure. */
export async function openConnection(
  url: URL,
  dependencies: ConnectionDependencies,
  attendance: Attendance,
): Promise<Connection> {
  const problem = dependencies.guard.checkParsed(url);
  if (problem !== null) throw new StepFailure('blocked_target', problem, 'prepare');
  const { socket, remoteIp } = await reach(url, dependencies, attendance);
  if (url.protocol === 'http:') return { socket, plain: socket, remoteIp };
  const { trust } = dependencies;
  const secured = await secure(socket, hostOf(url), { trust, attendance });
  return { socket: secured, plain: socket, remoteIp };
}

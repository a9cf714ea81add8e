/** The input and the findings of one try of a check, for all kinds except HTTP. Only probes use this file. */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Deadline } from '../checks/deadline';
import {
  type ConnectionDependencies,
  connectToHost,
  type Endpoint,
  performHandshake,
} from '../checks/open-connection';
import type { PhaseClock } from '../checks/phase-clock';
import type { Redaction } from '../checks/redaction';
import { StepFailure } from '../checks/step-failure';
import type { JsonValue } from '../contracts/definition';
import type { StartTlsProtocol } from '../contracts/kinds';
import type { AssertionOutcome, RegistrationFacts, TlsFacts } from '../contracts/outcome';
import type { TextPool } from '../text/text-pool';
import { startTls } from './start-tls';

/** The facts that are known so far. They are kept if the check fails later. */
export interface Found {
  /** The IP address that was reached. null means that no IP address was reached. */
  remoteIp: string | null;
  tls: TlsFacts | null;
  registration: RegistrationFacts | null;
  /** The response as text. null means that there is nothing to show. */
  response: string | null;
  /** The response as JSON, from which steps extract. null means that steps extract from the text. */
  facts: JsonValue;
  /** Size of the response. */
  bytes: number;
  /** True if more was received than was read. */
  isCut: boolean;
  /** True if the target might have sent more. The response may then be cut at any point. */
  isOpen: boolean;
  assertions: readonly AssertionOutcome[];
  /** The response time. null means that the duration of the whole check is used. */
  measuredMs: number | null;
}

export function createFound(): Found {
  return {
    remoteIp: null,
    tls: null,
    registration: null,
    response: null,
    facts: null,
    bytes: 0,
    isCut: false,
    isOpen: false,
    assertions: [],
    measuredMs: null,
  };
}

export interface Probing {
  readonly connection: ConnectionDependencies;
  readonly pool: TextPool;
  readonly redaction: Redaction;
  readonly userAgent: string;
  readonly clock: PhaseClock;
  readonly deadline: Deadline;
  /** The facts that are known so far. The check adds each fact as soon as it is known. */
  readonly found: Found;
}

/**
 * Opens a socket to the host, through the target guard. Rejects with StepFailure if the guard blocks the host or the
 * connection fails.
 */
export async function connectTo(endpoint: Endpoint, probing: Probing): Promise<Socket> {
  const { connection, found } = probing;
  const problem = connection.guard.checkEndpoint(endpoint.host, endpoint.port);
  if (problem !== null) throw new StepFailure('blocked_target', problem, 'prepare');
  const { socket, remoteIp } = await connectToHost(endpoint, connection, probing);
  found.remoteIp = remoteIp;
  return socket;
}

interface Securing {
  /** The host for which the certificate must be valid. */
  readonly host: string;
  /** The protocol that starts in plain text. null means that the connection uses TLS from the first byte. */
  readonly protocol: StartTlsProtocol | null;
  /** The protocols offered with ALPN. If absent, no protocols are offered. */
  readonly offered?: readonly string[];
}

/**
 * Performs the TLS handshake, whether the certificate is trusted or not. Rejects with StepFailure if the handshake
 * fails.
 */
export async function upgradeToTls(
  socket: Socket,
  { host, protocol, offered: protocols }: Securing,
  probing: Probing,
): Promise<TLSSocket> {
  const { clock, deadline, connection, found } = probing;
  clock.enter('tls');
  if (protocol !== null) await startTls(socket, protocol, deadline);
  const onTls = (facts: TlsFacts): void => {
    found.tls = facts;
  };
  const attempt = { clock, deadline, onTls };
  return performHandshake(socket, { host, protocols }, { trust: connection.trust, attempt });
}

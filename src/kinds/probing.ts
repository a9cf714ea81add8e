/** One try of a check of any kind: what it gets from its caller, and what it reports. Only probes use it. */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Deadline } from '../checks/deadline';
import {
  type ConnectionDependencies,
  type Endpoint,
  reach,
  shakeHands,
} from '../checks/open-connection';
import type { PhaseClock } from '../checks/phase-clock';
import type { Redaction } from '../checks/redaction';
import { StepFailure } from '../checks/step-failure';
import type { JsonValue } from '../contracts/definition';
import type { StartTlsProtocol } from '../contracts/kinds';
import type { AssertionOutcome, RegistrationFacts, TlsFacts } from '../contracts/outcome';
import type { TextPool } from '../text/text-pool';
import { startTls } from './start-tls';

/** The facts known so far; also kept if the check fails later. */
export interface Found {
  /** The IP address that was reached; null if none was. */
  remoteIp: string | null;
  tls: TlsFacts | null;
  registration: RegistrationFacts | null;
  /** The response as text; null if there is nothing to show. */
  response: string | null;
  /** The response as JSON, for steps that extract from it; null: they extract from the text itself. */
  facts: JsonValue;
  /** Size of the response. */
  bytes: number;
  /** More was received than was read. */
  isCut: boolean;
  /** More might have followed: the response may end in the middle of anything. */
  isOpen: boolean;
  assertions: readonly AssertionOutcome[];
  /** The response time; null: the duration of the whole check. */
  measuredMs: number | null;
}

export function nothingFound(): Found {
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
  /** Filled in by the check as it progresses. */
  readonly found: Found;
}

/** A socket to the host, through the target guard; rejects with StepFailure. */
export async function connectTo(endpoint: Endpoint, probing: Probing): Promise<Socket> {
  const { connection, found } = probing;
  const problem = connection.guard.checkEndpoint(endpoint.host, endpoint.port);
  if (problem !== null) throw new StepFailure('blocked_target', problem, 'prepare');
  const { socket, remoteIp } = await reach(endpoint, connection, probing);
  found.remoteIp = remoteIp;
  return socket;
}

interface Securing {
  /** The host for which the certificate must be valid. */
  readonly host: string;
  /** null: TLS from the first byte on. */
  readonly protocol: StartTlsProtocol | null;
  /** The protocols offered by ALPN; absent: none. */
  readonly offered?: readonly string[];
}

/** The connection after its TLS handshake, trusted or not. Rejects with StepFailure if the handshake fails. */
export async function turnToTls(
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
  const attendance = { clock, deadline, onTls };
  return shakeHands(socket, { host, protocols }, { trust: connection.trust, attendance });
}

/** One try of a check of any kind: what it gets from the frame around it, and what it reports. Only probes use it. */
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

/** What is known so far, also of a check that fails later. */
export interface Found {
  /** Whom it has reached; null: nobody. */
  remoteIp: string | null;
  tls: TlsFacts | null;
  registration: RegistrationFacts | null;
  /** What came back, as text; null: nothing is shown. */
  response: string | null;
  /** The response as JSON, for steps that extract from it; null: it is the text itself. */
  facts: JsonValue;
  /** Of the response. */
  bytes: number;
  /** More came than was read. */
  isCut: boolean;
  /** More might have come: it may end in the middle of anything. */
  isOpen: boolean;
  assertions: readonly AssertionOutcome[];
  /** What counts as the response time; null: the whole check. */
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
  /** How the service introduces itself. */
  readonly userAgent: string;
  readonly clock: PhaseClock;
  readonly deadline: Deadline;
  /** Filled in by the check as it goes. */
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
  /** Whom the certificate is to be for. */
  readonly host: string;
  /** null: TLS from the first byte on. */
  readonly protocol: StartTlsProtocol | null;
  /** By ALPN; absent: nothing. */
  readonly offered?: readonly string[];
}

/** The connection after its handshake, trusted or not; rejects with StepFailure when there is none. */
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

/**
 * Opens a TCP connection to one of several IP addresses. If an address fails, or does not connect within 250 ms, also
 * tries the next address (RFC 8305 §5).
 */
import { connect, type Socket } from 'node:net';
import { StepFailure } from './step-failure';

const NEXT_ADDRESS_AFTER_MS = 250;
/** How many IP addresses are tried. More addresses would only make a check take longer. */
const ADDRESSES_MAX = 6;

interface Connected {
  readonly socket: Socket;
  readonly remoteIp: string;
}

export interface Connecting {
  /** Resolves with the first socket that connects. Otherwise rejects with the most informative error. */
  readonly connected: Promise<Connected>;
  /** Destroys every socket that was opened. */
  readonly cancel: () => void;
}

/** True if this machine has no route for this IP version. Such an error says nothing about the target. */
function isOurLack(error: NodeJS.ErrnoException): boolean {
  return ['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(error.code ?? '');
}

/** Picks the most informative error: first an error of the server, then of a name server, then of this machine. */
function pickMostInformative(errors: readonly Error[]): Error {
  const [dns, connecting] = [errors.filter(isOfNames), errors.filter((error) => !isOfNames(error))];
  const informative = connecting.find((error) => !isOurLack(error));
  return informative ?? dns[0] ?? connecting[0] ?? new Error('no IP address');
}

function isOfNames(error: Error): boolean {
  return error instanceof StepFailure;
}

function isRefusal(error: unknown): boolean {
  return error instanceof StepFailure && error.failure.code === 'blocked_target';
}

export interface Addresses {
  readonly addresses: readonly string[];
  /** Further IP addresses from a DNS response that is still pending. Rejects with StepFailure. */
  readonly later: Promise<readonly string[]>;
}

interface Tried {
  readonly onConnect: (socket: Socket) => void;
  readonly onError: (error: Error) => void;
}

function tryAddress(host: string, port: number, { onConnect, onError }: Tried): Socket {
  const socket = connect({ host, port, noDelay: true, allowHalfOpen: true });
  socket.once('connect', () => onConnect(socket));
  // This listener is never removed, because an error without a listener would end the process.
  socket.on('error', onError);
  return socket;
}

interface RaceEnd {
  readonly win: (socket: Socket) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Tries the addresses. Calls either `win` or `reject`, once. Returns a function that destroys all sockets. After that
 * function was called, neither `win` nor `reject` is called.
 */
function race({ addresses, later }: Addresses, port: number, { win, reject }: RaceEnd) {
  const queue = addresses.slice(0, ADDRESSES_MAX);
  const sockets = new Set<Socket>();
  const errors: Error[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isComplete = false;
  let isOver = false;

  function end(winner?: Socket): void {
    isOver = true;
    clearTimeout(timer);
    for (const socket of sockets) if (socket !== winner) socket.destroy();
  }

  function giveUp(error: Error): void {
    end();
    reject(error);
  }

  function goOn(): void {
    if (queue.length > 0) tryNext();
    else if (isComplete && sockets.size === 0) giveUp(pickMostInformative(errors));
  }

  function succeed(socket: Socket): void {
    if (isOver) return;
    end(socket);
    win(socket);
  }

  function tryNext(): void {
    clearTimeout(timer);
    timer = undefined;
    const host = isOver ? undefined : queue.shift();
    if (host === undefined) return;
    const onError = (error: Error): void => {
      sockets.delete(socket);
      errors.push(error);
      goOn();
    };
    const socket = tryAddress(host, port, { onConnect: succeed, onError });
    sockets.add(socket);
    timer = setTimeout(tryNext, NEXT_ADDRESS_AFTER_MS);
  }

  function takeLater(more: readonly string[]): void {
    isComplete = true;
    queue.push(...more.slice(0, ADDRESSES_MAX));
    // If a try began less than 250 ms ago, its timer starts the next try.
    if (!isOver && (sockets.size === 0 || timer === undefined)) goOn();
  }

  later.then(takeLater, (error: Error) => {
    errors.push(error);
    if (isRefusal(error) && !isOver) giveUp(error);
    else takeLater([]);
  });
  tryNext();
  return end;
}

/**
 * Tries the IP addresses in order, at most six per DNS response (RFC 8305 §3). Fails if all of them have failed. Also
 * fails if the target guard refuses an address from a later DNS response.
 */
export function connectSocket(addresses: Addresses, port: number): Connecting {
  let end = (): void => undefined;
  const connected = new Promise<Connected>((resolve, reject) => {
    const win = (socket: Socket): void => {
      // The remote IP address is undefined if the peer has already disconnected.
      const { remoteAddress: remoteIp } = socket;
      if (remoteIp === undefined) reject(new Error('the peer has already disconnected'));
      else resolve({ socket, remoteIp });
    };
    end = race(addresses, port, { win, reject });
  });
  return { connected, cancel: () => end() };
}

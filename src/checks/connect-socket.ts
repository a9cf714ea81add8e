/**
 * Opens a TCP connection to one of several addresses: the next address is tried when the one before
 * failed or has not answered for a quarter of a second (RFC 8305 §5). It connects to nothing else.
 */
import { connect, type Socket } from 'node:net';
import { StepFailure } from './step-failure';

const NEXT_ADDRESS_AFTER_MS = 250;
/** More addresses than this add only waiting. */
const ADDRESSES_MAX = 6;

interface Connected {
  readonly socket: Socket;
  readonly remoteIp: string;
}

export interface Connecting {
  /** The first socket that connects, and its peer; rejects with a telling error when none does. */
  readonly connected: Promise<Connected>;
  /** Destroys every socket that was opened on the way. */
  readonly cancel: () => void;
}

/** Errors of a machine without that address family say nothing about the target. */
function isOurLack(error: NodeJS.ErrnoException): boolean {
  return ['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(error.code ?? '');
}

/** What a server does says more than what a name server does, and that more than what we lack. */
function firstTelling(errors: readonly Error[]): Error {
  const [dns, connecting] = [errors.filter(isOfNames), errors.filter((error) => !isOfNames(error))];
  const telling = connecting.find((error) => !isOurLack(error));
  return telling ?? dns[0] ?? connecting[0] ?? new Error('no IP address');
}

function isOfNames(error: Error): boolean {
  return error instanceof StepFailure;
}

function isRefusal(error: unknown): boolean {
  return error instanceof StepFailure && error.failure.code === 'blocked_target';
}

export interface Addresses {
  readonly addresses: readonly string[];
  /** More of them, whose answer is still under way; rejects with StepFailure. */
  readonly later: Promise<readonly string[]>;
}

interface Tried {
  readonly onConnect: (socket: Socket) => void;
  readonly onError: (error: Error) => void;
}

function tryAddress(host: string, port: number, { onConnect, onError }: Tried): Socket {
  const socket = connect({ host, port, noDelay: true, allowHalfOpen: true });
  socket.once('connect', () => onConnect(socket));
  // Stays for good: an error may come while nobody else listens.
  socket.on('error', onError);
  return socket;
}

interface RaceEnd {
  readonly win: (socket: Socket) => void;
  readonly reject: (error: Error) => void;
}

/** Reports once; returns what destroys every socket. */
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
    else if (isComplete && sockets.size === 0) giveUp(firstTelling(errors));
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
    // An address that is being tried has its time, unless that is over.
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
 * The addresses are tried in the given order, at most six of each answer; it gives up when all answers are
 * there and all addresses have failed (RFC 8305 §3), or when a later address is refused.
 */
export function connectSocket(addresses: Addresses, port: number): Connecting {
  let end = (): void => undefined;
  const connected = new Promise<Connected>((resolve, reject) => {
    const win = (socket: Socket): void => {
      // A peer that has already gone is unknown even now.
      const { remoteAddress: remoteIp } = socket;
      if (remoteIp === undefined) reject(new Error('the peer has gone'));
      else resolve({ socket, remoteIp });
    };
    end = race(addresses, port, { win, reject });
  });
  return { connected, cancel: () => end() };
}

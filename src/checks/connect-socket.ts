/**
 * Opens a TCP connection to one of several addresses: the next address is tried when the one before
 * failed or has not answered for a quarter of a second (RFC 8305 §5). It connects to nothing else.
 */
import { connect, type Socket } from 'node:net';

const NEXT_ADDRESS_AFTER_MS = 250;
/** More addresses than this add only waiting. */
const ADDRESSES_MAX = 6;

export interface Connecting {
  /** The first socket that connects, and its peer; rejects with a telling error when none does. */
  readonly connected: Promise<{ readonly socket: Socket; readonly remoteIp: string }>;
  /** Destroys every socket that was opened on the way. */
  readonly cancel: () => void;
}

/** Errors of a machine without that address family say nothing about the target. */
function isOurLack(error: NodeJS.ErrnoException): boolean {
  return ['ENETUNREACH', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'].includes(error.code ?? '');
}

function firstTelling(errors: readonly NodeJS.ErrnoException[]): Error {
  return errors.find((error) => !isOurLack(error)) ?? errors[0] ?? new Error('no IP address');
}

/** The addresses are tried in the given order, at most six of them. */
export function connectSocket(addresses: readonly string[], port: number): Connecting {
  const queue = addresses.slice(0, ADDRESSES_MAX);
  const sockets = new Set<Socket>();
  const errors: Error[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;

  function end(winner?: Socket): void {
    isOver = true;
    clearTimeout(timer);
    for (const socket of sockets) if (socket !== winner) socket.destroy();
  }

  const connected = new Promise<{ socket: Socket; remoteIp: string }>((resolve, reject) => {
    function tryNext(): void {
      clearTimeout(timer);
      const host = queue.shift();
      if (isOver || host === undefined) return;
      const candidate = connect({ host, port, noDelay: true, allowHalfOpen: true });
      sockets.add(candidate);
      candidate.once('connect', () => {
        if (isOver) return;
        end(candidate);
        // A peer that has already gone is unknown even now.
        const { remoteAddress: remoteIp } = candidate;
        if (remoteIp === undefined) reject(new Error('the peer has gone'));
        else resolve({ socket: candidate, remoteIp });
      });
      // Stays for good: an error may come while nobody else listens.
      candidate.on('error', (error) => {
        sockets.delete(candidate);
        errors.push(error);
        if (queue.length > 0) tryNext();
        else if (sockets.size === 0) reject(firstTelling(errors));
      });
      if (queue.length > 0) timer = setTimeout(tryNext, NEXT_ADDRESS_AFTER_MS);
    }
    tryNext();
  });
  return { connected, cancel: () => end() };
}

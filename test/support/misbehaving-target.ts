/**
 * A target with a named misbehaviour, on its own loopback port. It is independent of checks. The table of misbehaviours
 * contains the expected outcomes.
 */
import { readFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** Acts as the target in a connection. Called after a complete request head, or as soon as the connection is open. */
export type Play = (socket: Socket, port: number) => void;

export interface TargetKind {
  readonly play: Play;
  readonly begins?: 'connected' | 'requested';
  /** If set, the target uses TLS with these options. */
  readonly tls?: TlsOptions;
}

export interface RunningTarget {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Returns a certificate with its key, for `tls`. */
export function certificate(name: string): Pick<TlsOptions, 'key' | 'cert'> {
  const pem = readFileSync(join(__dirname, 'tls', `${name}.pem`), 'utf8');
  return { key: pem, cert: pem };
}

/** Returns the certificate of the authority that signed the trusted certificates. */
export function testAuthority(): string {
  return readFileSync(join(__dirname, 'tls', 'ca.pem'), 'utf8');
}

function whenRequested(socket: Socket, act: () => void): void {
  let head = '';
  socket.on('data', (chunk: Buffer) => {
    if (head.includes('\r\n\r\n')) return;
    head += chunk.toString('latin1');
    if (head.includes('\r\n\r\n')) act();
  });
}

/** Starts a target on 127.0.0.1. When it is closed, all its connections are closed. */
export async function startTarget({ play, begins, tls }: TargetKind): Promise<RunningTarget> {
  const sockets = new Set<Socket>();
  const accept = (socket: Socket) => {
    sockets.add(socket);
    // Ignores errors of the connection, because a test may make the client disconnect.
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    const { port } = addressOf(server);
    if (begins === 'connected') play(socket, port);
    else whenRequested(socket, () => play(socket, port));
  };
  const server: Server = tls === undefined ? createServer(accept) : createTlsServer(tls, accept);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: addressOf(server).port,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function addressOf(server: Server): { port: number } {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('not listening');
  return address;
}

/** Sends the pieces one after the other. Leaves the connection open. */
export function say(...pieces: readonly (string | Buffer)[]): Play {
  return (socket) => {
    for (const piece of pieces) socket.write(piece);
  };
}

export function sayThenClose(...pieces: readonly (string | Buffer)[]): Play {
  return (socket) => socket.end(Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
}

/**
 * Sends the pieces, and resets the connection after this process has read them. If bytes and a reset arrive together,
 * Node reports the bytes and a normal end.
 */
export function sayThenReset(...pieces: readonly (string | Buffer)[]): Play {
  return (socket) => {
    const all = Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
    const reset = () => socket.resetAndDestroy();
    // `setImmediate` runs after sockets are read, even if the timer fires late.
    socket.write(all, () => setTimeout(() => setImmediate(reset), 30));
  };
}

/** Sends the start and then the piece repeatedly, until the connection is closed. */
export function sayForEver(beginning: string, piece: string | Buffer): Play {
  return (socket) => {
    socket.write(beginning);
    const more = () => {
      while (!socket.destroyed && socket.write(piece)) if (socket.writableEnded) return;
    };
    socket.on('drain', more);
    more();
  };
}

/** Sends the start and then one piece every 20 ms. */
export function drip(beginning: string, piece: string): Play {
  return (socket) => {
    socket.write(beginning);
    const timer = setInterval(() => socket.write(piece), 20);
    socket.once('close', () => clearInterval(timer));
  };
}

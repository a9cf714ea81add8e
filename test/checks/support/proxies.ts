/** Proxies for tests, in the same process. They record requests, and connect to the target or misbehave. */
import { createServer as createHttp, type Server } from 'node:http';
import { createServer as createHttps } from 'node:https';
import { connect, createServer as createTcp, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { listenOnLoopback } from '../../support/loopback-server';

export interface TestProxy {
  readonly port: number;
  /** The `host:port` of each requested tunnel. */
  readonly asked: readonly string[];
  /** The credentials of each request. undefined if a request had none. */
  readonly signedIn: readonly (string | undefined)[];
  readonly close: () => Promise<void>;
}

interface HttpProxyOptions {
  /** The status that is sent instead of opening a tunnel. If null, the proxy sends no response. */
  readonly status?: number | null;
  /** If set, clients connect to the proxy over TLS, and the proxy presents this identity. */
  readonly identity?: { readonly cert: string; readonly key: string };
}

export async function startHttpProxy(options: HttpProxyOptions = {}): Promise<TestProxy> {
  const { status = 200, identity } = options;
  const asked: string[] = [];
  const signedIn: (string | undefined)[] = [];
  const open = new Set<Duplex>();
  const server: Server = identity === undefined ? createHttp() : createHttps(identity);
  server.on('connect', (request, socket: Duplex) => {
    open.add(socket);
    socket.on('error', () => socket.destroy());
    asked.push(request.url ?? '');
    signedIn.push(request.headers['proxy-authorization']);
    if (status === null) return;
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    join(socket, hostname, Number(port), () =>
      socket.write('HTTP/1.1 200 Go\r\nvia: test\r\n\r\n'),
    );
  });
  const { port, close } = await listenOnLoopback(server);
  return {
    port,
    asked,
    signedIn,
    close: async () => {
      for (const socket of open) socket.destroy();
      await close();
    },
  };
}

function join(socket: Duplex, host: string, port: number, onOpen: () => void): void {
  const target = connect({ host, port }, () => {
    onOpen();
    target.pipe(socket);
    socket.pipe(target);
  });
  target.on('error', () => socket.destroy());
  socket.on('close', () => target.destroy());
}

interface SocksOptions {
  readonly credentials?: { readonly user: string; readonly password: string };
  /** The reply code of the proxy. 0 opens a tunnel. */
  readonly code?: number;
}

/** Starts a SOCKS proxy. It supports only IPv4 addresses, because the tests request no others. */
export async function startSocksProxy(options: SocksOptions = {}): Promise<TestProxy> {
  const { credentials, code = 0 } = options;
  const asked: string[] = [];
  const signedIn: (string | undefined)[] = [];
  const sockets = new Set<Socket>();
  const server = createTcp((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    void serve(socket).catch(() => socket.destroy());
  });

  async function serve(socket: Socket): Promise<void> {
    const [, count = 0] = await take(socket, 2);
    const ways = await take(socket, count);
    if (credentials === undefined) socket.write(Buffer.from([5, 0]));
    else if (!ways.includes(2)) {
      socket.end(Buffer.from([5, 0xff]));
      return;
    } else {
      socket.write(Buffer.from([5, 2]));
      const [, userLength = 0] = await take(socket, 2);
      const user = (await take(socket, userLength)).toString();
      const [wordLength = 0] = await take(socket, 1);
      const password = (await take(socket, wordLength)).toString();
      signedIn.push(`${user}:${password}`);
      const isGood = user === credentials.user && password === credentials.password;
      socket.write(Buffer.from([1, isGood ? 0 : 1]));
      if (!isGood) return;
    }
    await take(socket, 4);
    const host = [...(await take(socket, 4))].join('.');
    const port = (await take(socket, 2)).readUInt16BE(0);
    asked.push(`${host}:${port}`);
    const reply = Buffer.from([5, code, 0, 1, 127, 0, 0, 1, 0, 0]);
    if (code === 0) join(socket, host, port, () => socket.write(reply));
    else socket.end(reply);
  }

  const { port } = await new Promise<{ port: number }>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({ port: typeof address === 'object' && address !== null ? address.port : 0 });
    });
  });
  return {
    port,
    asked,
    signedIn,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

/** Reads this many bytes from the socket. They may arrive in chunks of any size. */
function take(socket: Socket, count: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const end = (): void => reject(new Error('closed'));
    const look = (): void => {
      const bytes: unknown = count === 0 ? Buffer.alloc(0) : socket.read(count);
      if (!Buffer.isBuffer(bytes)) return;
      socket.off('readable', look).off('close', end);
      resolve(bytes);
    };
    socket.on('readable', look).on('close', end);
    look();
  });
}

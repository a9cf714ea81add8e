/** A TCP proxy in front of a real server. A test can cut or freeze the proxy. */
import { connect as connectSocket, createServer, type Socket } from 'node:net';

export interface FaultyLink {
  /** The URI of the server through this proxy. */
  readonly uri: string;
  /** Refuses new connections and resets the open ones. */
  readonly cut: () => void;
  /** Keeps all connections open and passes no data on. */
  readonly freeze: () => void;
  /** Ends a cut or a freeze. Frozen connections continue. */
  readonly heal: () => void;
  readonly close: () => Promise<void>;
}

export async function openFaultyLink(uri: string): Promise<FaultyLink> {
  const target = new URL(uri);
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'frozen' = 'open';

  const join = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (bytes) => to.write(bytes));
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    if (state === 'frozen') from.pause();
  };
  const server = createServer((near) => {
    if (state === 'cut') {
      near.destroy();
      return;
    }
    const far = connectSocket(Number(target.port || 27017), target.hostname);
    join(near, far);
    join(far, near);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the link has no port');
  const through = new URL(uri);
  through.hostname = '127.0.0.1';
  through.port = String(address.port);
  through.searchParams.set('directConnection', 'true');
  through.pathname ||= '/';

  return {
    uri: through.href,
    cut: () => {
      state = 'cut';
      for (const socket of sockets) socket.destroy();
    },
    freeze: () => {
      state = 'frozen';
      for (const socket of sockets) socket.pause();
    },
    heal: () => {
      state = 'open';
      for (const socket of sockets) socket.resume();
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

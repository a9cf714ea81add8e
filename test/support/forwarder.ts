/** Forwards a TCP port on an IP address of this machine to a port on loopback. Does not change any bytes. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Forwarder {
  readonly port: number;
  readonly close: () => Promise<void>;
}

/**
 * Starts a forwarder.
 *
 * @param send passes on what a client sends. By default, it passes on everything.
 */
export async function startForwarder(
  upstreamPort: number,
  host: string,
  send: (client: Socket, upstream: Socket) => void = (client, upstream) => client.pipe(upstream),
): Promise<Forwarder> {
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(upstreamPort, '127.0.0.1');
    clients.add(client);
    send(client, upstream);
    upstream.pipe(client);
    const end = (): void => {
      clients.delete(client);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
  });
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const client of clients) client.destroy();
      await closed;
    },
  };
}

/**
 * A TCP proxy on loopback that can be cut: it then keeps its connections and takes new ones, and forwards
 * nothing, as a network does that drops packets. What was sent meanwhile arrives when it heals.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CutProxy {
  readonly port: number;
  readonly cut: () => void;
  readonly heal: () => void;
  readonly close: () => Promise<void>;
}

interface Link {
  readonly client: Socket;
  readonly upstream: Socket;
}

/** @param upstreamPort undefined: not there yet, so that connections end at once. */
export async function startCutProxy(upstreamPort: () => number | undefined): Promise<CutProxy> {
  const links = new Set<Link>();
  let isCut = false;

  function open({ client, upstream }: Link): void {
    client.pipe(upstream);
    upstream.pipe(client);
  }

  const server = createServer((client) => {
    client.on('error', () => undefined);
    const port = upstreamPort();
    if (port === undefined) {
      client.destroy();
      return;
    }
    const upstream = connect(port, '127.0.0.1');
    const link = { client, upstream };
    links.add(link);
    const end = (): void => {
      links.delete(link);
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    if (!isCut) open(link);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    cut: () => {
      isCut = true;
      for (const { client, upstream } of links) {
        client.unpipe(upstream);
        upstream.unpipe(client);
      }
    },
    heal: () => {
      isCut = false;
      for (const link of links) open(link);
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const { client } of links) client.destroy();
      await closed;
    },
  };
}

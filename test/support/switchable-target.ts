/** A target on loopback whose paths can be made to hang: they take the request and never answer. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SwitchableTarget {
  readonly url: string;
  /** Paths that hang from the next request on. */
  readonly hanging: Set<string>;
  readonly close: () => Promise<void>;
}

export async function startSwitchableTarget(): Promise<SwitchableTarget> {
  const hanging = new Set<string>();
  const server = createServer((request, response) => {
    if (!hanging.has(request.url ?? '')) response.end('ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    hanging,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

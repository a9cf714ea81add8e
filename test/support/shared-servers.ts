/**
 * What the suites of a run share and jest's parent process starts, each at most once and only when a suite
 * asks: a whole service and a browser. Suites ask over loopback; they must not stop or reconfigure either.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { prepareBrowser } from '../dashboard/support/prepare-browser';
import { launchBrowserServer } from './browser-server';
import { startService } from './service';
import type { StartedServer } from './started-servers';

/** What suites are told of the shared service. */
export interface SharedServiceAddress {
  readonly url: string;
  /** Temporal namespace and database name. */
  readonly suite: string;
  readonly mongodbUri: string;
  readonly temporalAddress: string;
  readonly secretKey: string;
  readonly regions: readonly string[];
}

interface Shared {
  readonly address: object;
  readonly stop: () => Promise<void>;
}

const REGIONS = ['eu-west', 'us-east'];

async function startSharedService(): Promise<Shared> {
  const secretKey = randomBytes(32).toString('hex');
  const service = await startService({
    regions: REGIONS,
    environment: { KEEPWATCH_SECRET_KEY: secretKey },
  });
  await service.setup();
  const { url, suite, mongodbUri, temporalAddress } = service;
  const address: SharedServiceAddress = {
    url,
    suite,
    mongodbUri,
    temporalAddress,
    secretKey,
    regions: REGIONS,
  };
  return { address, stop: service.stop };
}

async function startSharedBrowser(): Promise<Shared> {
  const server = await launchBrowserServer(await prepareBrowser());
  return { address: { endpoint: server.wsEndpoint() }, stop: () => server.close() };
}

const STARTERS: Readonly<Record<string, () => Promise<Shared>>> = {
  '/service': startSharedService,
  '/browser': startSharedBrowser,
};

/** Serves `GET /service` and `GET /browser`; the answer is the address once it runs. */
export async function startSharedServers(): Promise<StartedServer & { readonly url: string }> {
  const started = new Map<string, Promise<Shared>>();

  function startOnce(path: string): Promise<Shared> | undefined {
    const start = STARTERS[path];
    const running = started.get(path) ?? start?.();
    if (running !== undefined) started.set(path, running);
    return running;
  }

  const server = createServer((request, response) => {
    const answer = (status: number, body: object): void => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const shared = startOnce(request.url ?? '');
    if (shared === undefined) {
      answer(404, { error: `nothing is shared under ${request.url}` });
      return;
    }
    shared.then(
      ({ address }) => answer(200, address),
      (error: unknown) => answer(500, { error: String(error) }),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      const running = await Promise.allSettled(started.values());
      await Promise.all(
        running.map((one) => (one.status === 'fulfilled' ? one.value.stop() : undefined)),
      );
    },
  };
}

/**
 * Servers that the suites of a run share: a whole service and a browser. Jest's parent process starts each of them at
 * most once, when the first suite requests it. Suites send their requests over loopback. They must not stop or
 * reconfigure either server.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareBrowser } from '../dashboard/support/prepare-browser';
import { startMailSink } from './alert-sinks';
import { launchBrowserServer } from './browser-server';
import { startCiIssuer } from './ci-issuer';
import { type MadeCertificate, makeCertificate } from './make-certificate';
import { noteUncountedCpu } from './note-start';
import { cpuMsOfDescendants } from './process-tree';
import { startService } from './service';
import type { StartedServer } from './started-servers';

/** The data about the shared service that suites get. */
export interface SharedServiceAddress {
  readonly url: string;
  /** The name of the Temporal namespace and of the database. */
  readonly suite: string;
  readonly mongodbUri: string;
  readonly temporalAddress: string;
  readonly secretKey: string;
  readonly regions: readonly string[];
  /** URL of a CI service whose ID tokens the service accepts. */
  readonly ciIssuer: string;
  /** Certificates for localhost, with the number of days until they expire. The probes trust them. */
  readonly certificates: readonly (MadeCertificate & { readonly days: number })[];
}

/** Responds to a request about a shared server. `question` is the path below the path of the server. */
type Ask = (question: string, given: URLSearchParams) => object | undefined;

interface Shared {
  readonly address: object;
  readonly ask?: Ask;
  readonly stop: () => Promise<void>;
}

const REGIONS = ['eu-west', 'us-east'];
const CERTIFICATE_DAYS = [2, 10, 300];
const DAY_MS = 86_400_000;

async function startSharedService(): Promise<Shared> {
  const secretKey = randomBytes(32).toString('hex');
  const [mail, ci] = [await startMailSink(), await startCiIssuer()];
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-shared-'));
  const authorities = join(folder, 'authorities.pem');
  const certificates = CERTIFICATE_DAYS.map((days) => ({
    days,
    ...makeCertificate(Date.now() + days * DAY_MS),
  }));
  writeFileSync(authorities, certificates.map(({ cert }) => cert).join(''));
  const ui = process.env['KEEPWATCH_TEST_TEMPORAL_UI'];
  const service = await startService({
    regions: REGIONS,
    environment: {
      KEEPWATCH_SECRET_KEY: secretKey,
      LOG_LEVEL: 'debug',
      SMTP_URL: mail.url,
      MAIL_FROM: 'keepwatch@example.com',
      KEEPWATCH_PIPELINE_ISSUERS: ci.url,
      NODE_EXTRA_CA_CERTS: authorities,
      ...(ui === undefined ? {} : { TEMPORAL_UI_URL: ui }),
    },
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
    ciIssuer: ci.url,
    certificates,
  };
  const ask: Ask = (question, given) => {
    const to = given.get('to') ?? '';
    if (question === 'mails')
      return mail.messages.filter((message) => message.to === to).map(({ text }) => text);
    if (question === 'refuse-next-mail') return mail.refusing.add(to) && [];
    if (question === 'id-token') return [ci.sign(JSON.parse(given.get('claims') ?? '{}'))];
    if (question === 'logs') return [...service.processes.keys()].map(service.logOf);
    return undefined;
  };
  return {
    address,
    ask,
    stop: async () => {
      await service.stop();
      await mail.close();
      await ci.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function startSharedBrowser(): Promise<Shared> {
  const server = await launchBrowserServer(await prepareBrowser());
  return {
    address: { endpoint: server.wsEndpoint() },
    stop: async () => {
      // Records the CPU of the browser's page processes, because no parent waits for their end.
      noteUncountedCpu(cpuMsOfDescendants(server.process().pid ?? 0));
      await server.kill();
    },
  };
}

const STARTERS: Readonly<Record<string, () => Promise<Shared>>> = {
  '/service': startSharedService,
  '/browser': startSharedBrowser,
};

/**
 * Serves `GET /service` and `GET /browser`. Each starts the server if necessary, and the response is its address.
 * Requests about a shared server itself are below its path, such as `/service/mails?to=ann@example.com`.
 */
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
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://shared');
    const [, name = '', question] = pathname.split('/');
    const reply = async (): Promise<object | undefined> => {
      const shared = await startOnce(`/${name}`);
      return question === undefined ? shared?.address : shared?.ask?.(question, searchParams);
    };
    reply().then(
      (found) => answer(found === undefined ? 404 : 200, found ?? { error: 'nothing is shared' }),
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
        running.flatMap((one) => (one.status === 'fulfilled' ? [one.value.stop()] : [])),
      );
    },
  };
}

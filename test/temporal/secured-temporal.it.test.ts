/**
 * Tests a Temporal server behind TLS, client certificates and an API key, as clients and workers use it. The long form
 * runs a whole service.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../../src/embedded/run-command';
import { createLogger } from '../../src/platform/logger';
import { connectForCalls } from '../../src/temporal/connect';
import { connectWorker } from '../../src/temporal/run-worker';
import type { TemporalSecurity } from '../../src/temporal/temporal-address';
import { createApiClient } from '../support/api-client';
import { startCountingTarget } from '../support/counting-target';
import { makeCertificate } from '../support/make-certificate';
import { startService, temporalAddress } from '../support/service';
import { startTemporalGateway, type TemporalGateway } from '../support/temporal-gateway';
import { isLongForm } from '../support/test-size';
import { WAIT_LIMIT_MS, waitUntil } from '../support/wait-until';

const API_KEY = 'a-key-of-temporal';
const IN_A_DAY_MS = Date.now() + 86_400_000;
const own = makeCertificate(IN_A_DAY_MS);
const ours = makeCertificate(IN_A_DAY_MS);
const foreign = makeCertificate(IN_A_DAY_MS);
const named = makeCertificate(IN_A_DAY_MS, 'temporal.internal');
const folder = mkdtempSync(join(tmpdir(), 'keepwatch-temporal-tls-'));

let gateway: TemporalGateway;
let elsewhere: TemporalGateway;

beforeAll(async () => {
  const rules = { clients: [ours.cert], apiKey: API_KEY };
  gateway = await startTemporalGateway(temporalAddress(), { own, ...rules });
  elsewhere = await startTemporalGateway(temporalAddress(), { own: named });
});
afterAll(async () => {
  await Promise.all([gateway?.close(), elsewhere?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const tls = {
  serverAuthorities: own.cert,
  client: { certificate: ours.cert, key: ours.key },
};
const right: TemporalSecurity = { tls, apiKey: API_KEY };

if (isLongForm)
  it('a whole service runs on a secured Temporal, and the doctor reports the connection', async () => {
    const target = await startCountingTarget();
    const security = {
      TEMPORAL_ADDRESS: gateway.address,
      TEMPORAL_TLS_SERVER_CA_CERT_PATH: file('ca.pem', own.cert),
      TEMPORAL_TLS_SERVER_NAME: 'localhost',
      TEMPORAL_TLS_CLIENT_CERT_PATH: file('client.pem', ours.cert),
      TEMPORAL_TLS_CLIENT_KEY_PATH: file('client.key', ours.key),
      TEMPORAL_API_KEY_FILE: file('api-key', `${API_KEY}\n`),
    };
    const service = await startService({ regions: ['eu-west'], environment: security });
    try {
      const api = createApiClient(service.url, (await service.setup()).apiKey);
      const id = await api.createMonitor({ name: 'secured', url: `${target.url}/`, interval: 10 });
      const [result] = await waitUntil('a first result', async () => {
        const results = await api.resultsOf(id);
        return results.length > 0 ? results : undefined;
      });
      expect(result).toMatchObject({ status: 'up', region: 'eu-west' });
      const environment = {
        ...process.env,
        ...security,
        TEMPORAL_NAMESPACE: service.suite,
        MONGODB_URI: service.mongodbUri,
        KEEPWATCH_SECRET_KEY: 'ab'.repeat(32),
        KEEPWATCH_DATA_DIR: folder,
        PORT: new URL(service.url).port,
      };
      const run = (program: string, ...args: string[]) =>
        runCommand(process.execPath, [join(__dirname, '../../dist/main', program), ...args], {
          environment,
          timeoutMs: WAIT_LIMIT_MS,
        });
      expect(await run('prepare-namespace.js')).toMatchObject({ code: 0 });
      expect(await run('health.js', 'orchestrator')).toMatchObject({ code: 0 });
      const { stdout } = await run('doctor.js');
      expect(stdout).toMatch(/ok +Temporal +1\.\d+/);
      // The gateway got calls of clients and of workers, all with our certificate.
      for (const method of ['SignalWithStartWorkflowExecution', 'PollActivityTaskQueue'])
        expect(gateway.calls.has(method)).toBe(true);
      expect(gateway.seenClients.size).toBe(1);
    } finally {
      await Promise.all([service.stop(), target.close()]);
    }
  });

describe.each([
  {
    what: 'no TLS',
    security: {},
    says: /^it speaks TLS: set TEMPORAL_TLS=true/,
  },
  {
    what: 'no authority',
    security: { ...right, tls: { client: tls.client } },
    says: /authority that is not trusted here: set TEMPORAL_TLS_SERVER_CA_CERT_PATH/,
  },
  {
    what: 'a foreign authority',
    security: { ...right, tls: { ...tls, serverAuthorities: foreign.cert } },
    says: /authority that is not trusted here: set TEMPORAL_TLS_SERVER_CA_CERT_PATH/,
  },
  {
    what: 'no client certificate',
    security: { ...right, tls: { serverAuthorities: own.cert } },
    says: /asks for a client certificate: set TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH/,
  },
  {
    what: 'a foreign client certificate',
    security: {
      ...right,
      tls: { ...tls, client: { certificate: foreign.cert, key: foreign.key } },
    },
    says: /refuses our client certificate: TEMPORAL_TLS_CLIENT_CERT_PATH/,
  },
  {
    what: 'no API key',
    deadlineMs: WAIT_LIMIT_MS,
    security: { tls },
    says: /asks for an API key: set TEMPORAL_API_KEY/,
  },
  {
    what: 'a wrong API key',
    deadlineMs: WAIT_LIMIT_MS,
    security: { tls, apiKey: 'another' },
    says: /refuses TEMPORAL_API_KEY/,
  },
])('with $what', ({ security, says, deadlineMs }) => {
  it('a client and a worker name the setting that must be fixed', async () => {
    const reach = { address: gateway.address, ...security };
    expect(await refusalOfClient(reach, deadlineMs)).toMatch(says);
    expect(await refusalOfWorker(reach)).toMatch(says);
  });
});

it('the connection to Temporal fails with a wrong server name and succeeds with the right name', async () => {
  const reach = { address: elsewhere.address, tls: { serverAuthorities: named.cert } };
  const says =
    /^its certificate is for other names \(DNS:temporal\.internal\): set TEMPORAL_TLS_SERVER_NAME/;
  expect(await refusalOfClient(reach)).toMatch(says);
  expect(await refusalOfWorker(reach)).toMatch(says);
  const corrected = { ...reach, tls: { ...reach.tls, serverName: 'temporal.internal' } };
  await (await connectForCalls(corrected, WAIT_LIMIT_MS)).close();
  await (await connectWorker(corrected, createLogger('test', 'silent'))).close();
});

it('a TLS connection to a server without TLS fails', async () => {
  const reach = { address: temporalAddress(), tls: {} };
  expect(await refusalOfClient(reach)).toMatch(
    /^it does not speak TLS there: set TEMPORAL_TLS=false/,
  );
});

type Reach = Parameters<typeof connectForCalls>[0];

/**
 * Returns the error of a client. A failing handshake is retried until the deadline. A refusal after the handshake comes
 * much earlier.
 */
async function refusalOfClient(reach: Reach, deadlineMs = 1_000): Promise<string> {
  const refused = connectForCalls(reach, deadlineMs).then(
    async (connection) => connection.close(),
    (error: unknown) => error,
  );
  return messageOf(await refused);
}

/** Returns the error of a worker. A worker retries forever, so its first log line stops it. */
async function refusalOfWorker(reach: Reach): Promise<string> {
  const logger = createLogger('test', 'silent');
  logger.warn = ({ reason }: { readonly reason: string }) => {
    throw new Error(reason);
  };
  return messageOf(await connectWorker(reach, logger).catch((error: unknown) => error));
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : `nothing was refused: ${String(error)}`;
}

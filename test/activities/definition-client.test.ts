/** Tests how a probe reads definitions while the API goes down and comes back. */
import {
  createDefinitionClient,
  DefinitionUnavailableError,
} from '../../src/activities/definition-client';
import { startHello } from '../../src/activities/hello-timer';
import {
  createInternalApiClient,
  type InternalApiClient,
} from '../../src/activities/internal-api-client';
import type { Definition } from '../../src/contracts/definition';
import { definitionPath, type ProbeHello } from '../../src/contracts/probe-protocol';
import { createLogger } from '../../src/platform/logger';
import { createLruCache } from '../../src/platform/lru-cache';
import { asLocalProbe } from '../support/as-probe';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server';
import { waitUntil } from '../support/wait-until';

const probe = asLocalProbe('a'.repeat(64), 'eu-west');
const sealer = probe.sealer('probe-response');
const reference = { accountId: 'acc_1', kind: 'monitor', id: 'mon_1', revision: 1 } as const;
const definition: Definition = {
  kind: 'monitor',
  id: 'mon_1',
  revision: 1,
  variables: [],
  steps: [],
};

interface Api {
  status: number;
  /** The path for which the response is encrypted, if it is not the requested path. */
  sealedFor: string | null;
  requests: number;
  /** Called before the API responds. */
  respond: () => Promise<void>;
}

const answerNow = async (): Promise<void> => undefined;

const api: Api = { status: 200, sealedFor: null, requests: 0, respond: answerNow };
let server: LoopbackServer;
let channel: InternalApiClient;

beforeAll(async () => {
  server = await startLoopbackServer((request, response) => {
    api.requests += 1;
    const isOurs = Object.entries(probe.headers).every(
      ([name, value]) => request.headers[name.toLowerCase()] === value,
    );
    response.statusCode = isOurs ? api.status : 401;
    const answer = Buffer.from(JSON.stringify({ definition }));
    const sealed = sealer.seal(answer, api.sealedFor ?? String(request.url));
    void api.respond().then(() => response.end(sealed));
  });
  const { port } = server;
  channel = createInternalApiClient({
    apiUrl: `http://127.0.0.1:${port}`,
    key: probe.key,
    onRevoked: () => undefined,
    instance: 'host:1:a',
    clock: { note: () => undefined },
  });
});
beforeEach(() =>
  Object.assign(api, { status: 200, sealedFor: null, requests: 0, respond: answerNow }),
);
afterEach(() => jest.useRealTimers());
afterAll(async () => {
  await channel.close();
  await server.close();
});

test('concurrent checks read a revision of a definition once, and can use the revision while the API is away', async () => {
  const client = createDefinitionClient(channel);
  const all = await Promise.all(Array.from({ length: 20 }, () => client.read(reference)));
  expect(all).toEqual(Array(20).fill(definition));
  api.status = 503;
  expect(await client.read(reference)).toEqual(definition);
  expect(api.requests).toBe(1);
});

test('a failed request for the revision of a definition does not count as a missing revision', async () => {
  api.status = 503;
  await expect(channel.fetchDefinition(definitionPath(reference))).rejects.toThrow();
});

test('a missing revision of a definition is reported at once, without a retry', async () => {
  api.status = 404;
  const reading = createDefinitionClient(channel).read(reference);
  await expect(reading).rejects.toMatchObject({
    name: 'DefinitionUnavailableError',
    isMissing: true,
  });
  expect(api.requests).toBe(1);
});

test('a read of a definition waits while the API restarts, and fails only if the API stays away', async () => {
  jest.useFakeTimers();
  let isThere = false;
  const client = createDefinitionClient({
    fetchDefinition: async () => {
      if (!isThere) throw new Error('connection refused');
      return definition;
    },
  });
  const first = client.read(reference);
  await jest.advanceTimersByTimeAsync(500);
  isThere = true;
  await jest.advanceTimersByTimeAsync(500);
  expect(await first).toEqual(definition);
  isThere = false;
  const reading = client.read({ ...reference, revision: 2 }).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(3_000);
  const error = await reading;
  expect(error).toBeInstanceOf(DefinitionUnavailableError);
  expect(error).toMatchObject({ isMissing: false });
});

test('a read of a definition from a hanging API times out, and a late response is cached', async () => {
  jest.useFakeTimers();
  const answers: ((found: Definition) => void)[] = [];
  const client = createDefinitionClient({
    fetchDefinition: () => new Promise((resolve) => answers.push(resolve)),
  });
  const reading = client.read(reference).catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(5_000);
  expect(await reading).toBeInstanceOf(DefinitionUnavailableError);
  answers[0]?.(definition);
  await jest.advanceTimersByTimeAsync(0);
  expect(await client.read(reference)).toEqual(definition);
  expect(answers).toHaveLength(1);
});

test('a probe reads only a few definitions at a time, so that no request waits in a queue of the API', async () => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let [atOnce, atOnceMax] = [0, 0];
  api.respond = async () => {
    atOnce += 1;
    atOnceMax = Math.max(atOnceMax, atOnce);
    await held;
    atOnce -= 1;
  };
  const client = createDefinitionClient(channel);
  const all = Array.from({ length: 50 }, (_, id) => client.read({ ...reference, id: `mon_${id}` }));
  await waitUntil('the first requests', () => atOnce === 8);
  release();
  expect(await Promise.all(all)).toHaveLength(50);
  expect([api.requests, atOnceMax]).toEqual([50, 8]);
});

test('a probe rejects a definition that the API encrypted for another path', async () => {
  api.sealedFor = definitionPath({ ...reference, id: 'mon_2' });
  await expect(channel.fetchDefinition(definitionPath(reference))).rejects.toThrow();
});

test('a probe registers again within seconds if the API did not respond at first', async () => {
  jest.useFakeTimers();
  const logger = createLogger('test', 'fatal');
  let tries = 0;
  const hellos: ProbeHello[] = [];
  const sayHello = (hello: ProbeHello): Promise<void> => {
    tries += 1;
    if (tries === 1) return Promise.reject(new Error('not there yet'));
    hellos.push(hello);
    return Promise.resolve();
  };
  const stop = startHello({ sayHello }, { region: probe.key.region, identity: 'me' }, logger);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(hellos).toEqual([]);
  await jest.advanceTimersByTimeAsync(2_000);
  stop();
  expect(hellos).toEqual([{ region: probe.key.region, identity: 'me' }]);
});

test('the cache evicts the least recently used definition', () => {
  const cache = createLruCache<number>(2);
  cache.set('a', 1);
  cache.set('b', 2);
  cache.get('a');
  cache.set('c', 3);
  expect(['a', 'b', 'c'].map((key) => cache.get(key))).toEqual([1, undefined, 3]);
});

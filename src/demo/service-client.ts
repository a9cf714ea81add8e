/** The calls of the demo to `/v1`, over HTTP with a key. */
import { z } from 'zod';

const REQUEST_TIMEOUT_MS = 10_000;

const failureShape = z.object({ code: z.string(), message: z.string() });

const monitorShape = z.object({
  id: z.string(),
  name: z.string(),
  health: z.string(),
  lastCheckedAt: z.string().nullable(),
  /** The ping URL, which only heartbeats have. */
  pingUrl: z.string().nullish(),
  links: z.object({ temporal: z.object({ url: z.string().nullish() }).nullish() }).nullish(),
});

const scenarioShape = z.object({ id: z.string(), name: z.string() });

const resultShape = z.object({
  id: z.string(),
  slot: z.string(),
  kind: z.string(),
  region: z.string(),
  status: z.string(),
  startedAt: z.string().nullish(),
  responseTimeMs: z.number().nullish(),
  failure: failureShape.nullish(),
});

const runShape = z.object({
  id: z.string(),
  region: z.string(),
  status: z.string(),
  finishedAt: z.string().nullish(),
  durationMs: z.number().nullish(),
  steps: z.array(z.object({ status: z.string() })),
  failure: failureShape.nullish(),
});

export type Monitor = z.output<typeof monitorShape>;
export type Scenario = z.output<typeof scenarioShape>;
export type Result = z.output<typeof resultShape>;
export type Run = z.output<typeof runShape>;

export interface ServiceClient {
  readonly createMonitor: (body: unknown) => Promise<Monitor>;
  readonly createScenario: (body: unknown) => Promise<Scenario>;
  readonly createChannel: (body: unknown) => Promise<void>;
  readonly createPolicy: (body: unknown) => Promise<void>;
  readonly createStatusPage: (body: unknown) => Promise<void>;
  readonly putSecret: (name: string, value: string) => Promise<void>;
  /** Creates an API key that may read and write. */
  readonly createKey: (name: string) => Promise<string>;
  readonly acknowledge: (incidentId: string, note: string) => Promise<void>;
  readonly monitors: () => Promise<readonly Monitor[]>;
  /** Returns the results of a monitor, newest first. */
  readonly results: (monitorId: string) => Promise<readonly Result[]>;
  /** Returns the runs of a scenario, newest first. */
  readonly runs: (scenarioId: string) => Promise<readonly Run[]>;
}

/** A running service that has no account yet. */
export interface NewService {
  readonly url: string;
  /** The URL that browsers use. */
  readonly publicUrl: string;
  readonly setupToken: string;
}

/** Returns the owner of the demo's account. */
function buildOwner(setupToken: string) {
  return { email: 'you@example.com', password: `demo-${setupToken}` };
}

/** Creates the first account. If the service refuses, throws an error with the service's message. */
export async function setUpAccount(
  url: string,
  setupToken: string,
): Promise<{ readonly apiKey: string }> {
  const response = await send(`${url}/v1/setup`, {
    method: 'POST',
    body: {
      setupToken,
      accountName: 'Corner shop',
      ...buildOwner(setupToken),
    },
  });
  const shape = z.object({ apiKey: z.object({ key: z.string() }) });
  return { apiKey: shape.parse(await response.json()).apiKey.key };
}

export async function openOwnerSession(service: NewService, userAgent: string): Promise<string> {
  const { url, publicUrl, setupToken } = service;
  const headers = { origin: publicUrl, 'user-agent': userAgent };
  const response = await send(`${url}/v1/session`, {
    method: 'POST',
    body: buildOwner(setupToken),
    headers,
  });
  await response.body?.cancel();
  return response.headers.get('set-cookie') ?? '';
}

/** True if the service and all of its dependencies respond. */
export async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) });
    await response.body?.cancel();
    return response.ok;
  } catch {
    return false;
  }
}

export function createServiceClient(url: string, apiKey: string): ServiceClient {
  const headers = { authorization: `Bearer ${apiKey}` };
  const since = new Date().toISOString();
  const get = (path: string) => call(`${url}/v1${path}`, { headers });
  const post = (path: string, body: unknown) =>
    call(`${url}/v1${path}`, { method: 'POST', body, headers });
  const list = <Item>(shape: z.ZodType<Item>, response: unknown) =>
    z.object({ data: z.array(shape) }).parse(response).data;

  return {
    createMonitor: async (body) => monitorShape.parse(await post('/monitors', body)),
    createScenario: async (body) => scenarioShape.parse(await post('/scenarios', body)),
    createChannel: async (body) => void (await post('/alert-channels', body)),
    createPolicy: async (body) => void (await post('/alert-policies', body)),
    createStatusPage: async (body) => void (await post('/status-pages', body)),
    putSecret: async (name, value) => {
      await call(`${url}/v1/secrets/${name}`, { method: 'PUT', body: { value }, headers });
    },
    createKey: async (name) => {
      const created = await post('/api-keys', { name, scopes: ['write'] });
      return z.object({ key: z.string() }).parse(created).key;
    },
    acknowledge: async (id, note) => void (await post(`/incidents/${id}/acknowledge`, { note })),
    monitors: async () => list(monitorShape, await get('/monitors')),
    results: async (id) =>
      list(resultShape, await get(`/monitors/${id}/results?limit=20&from=${since}`)),
    runs: async (id) => list(runShape, await get(`/scenarios/${id}/results?limit=10`)),
  };
}

interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function call(url: string, request: Call): Promise<unknown> {
  return (await send(url, request)).json();
}

async function send(url: string, { method = 'GET', body, headers }: Call): Promise<Response> {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (response.ok) return response;
  throw new Error(`${method} ${url}: ${await response.text()}`);
}

/** The part of `/v1` that the demo calls, as any client would: over HTTP, with a key. */
import { z } from 'zod';

const REQUEST_TIMEOUT_MS = 10_000;

const failureShape = z.object({ code: z.string(), message: z.string() });

const monitorShape = z.object({
  id: z.string(),
  name: z.string(),
  health: z.string(),
  lastCheckedAt: z.string().nullable(),
  links: z.object({ temporal: z.object({ url: z.string().nullish() }).nullish() }).nullish(),
});

const scenarioShape = z.object({ id: z.string(), name: z.string() });

const resultShape = z.object({
  id: z.string(),
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
  readonly monitors: () => Promise<readonly Monitor[]>;
  /** Newest first. */
  readonly results: (monitorId: string) => Promise<readonly Result[]>;
  /** Newest first. */
  readonly runs: (scenarioId: string) => Promise<readonly Run[]>;
}

/** Makes the first account and returns its key; throws with the service's own sentence. */
export async function setUpAccount(url: string, setupToken: string): Promise<string> {
  const body = {
    setupToken,
    accountName: 'Corner shop',
    email: 'demo@example.com',
    password: `demo-${setupToken}`,
  };
  const answer = await call(`${url}/v1/setup`, { method: 'POST', body });
  return z.object({ apiKey: z.object({ key: z.string() }) }).parse(answer).apiKey.key;
}

/** True when the service and everything that it needs answer. */
export async function isReady(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(1_000) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}

export function createServiceClient(url: string, apiKey: string): ServiceClient {
  const get = (path: string) => call(`${url}/v1${path}`, { apiKey });
  const post = (path: string, body: unknown) =>
    call(`${url}/v1${path}`, { method: 'POST', body, apiKey });
  const list = <Item>(shape: z.ZodType<Item>, answer: unknown) =>
    z.object({ data: z.array(shape) }).parse(answer).data;

  return {
    createMonitor: async (body) => monitorShape.parse(await post('/monitors', body)),
    createScenario: async (body) => scenarioShape.parse(await post('/scenarios', body)),
    monitors: async () => list(monitorShape, await get('/monitors')),
    results: async (id) => list(resultShape, await get(`/monitors/${id}/results?limit=20`)),
    runs: async (id) => list(runShape, await get(`/scenarios/${id}/results?limit=10`)),
  };
}

interface Call {
  readonly method?: 'GET' | 'POST';
  readonly body?: unknown;
  readonly apiKey?: string;
}

async function call(url: string, { method = 'GET', body, apiKey }: Call): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
    },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json: unknown = await answer.json();
  if (!answer.ok) throw new Error(`${method} ${url} answered ${JSON.stringify(json)}`);
  return json;
}

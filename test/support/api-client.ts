/**
 * Calls /v1 with a key as the documents describe. A request that is refused with 503 is sent again with the same
 * idempotency key. Throws with the whole response if the status is not the expected one.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';

const gapShape = z.object({
  reason: z.string(),
  from: z.string(),
  to: z.string(),
  slots: z.number(),
});

/** The fields of a result that tests read. The response contains more fields. */
const resultShape = z.object({
  id: z.string(),
  revision: z.number(),
  slot: z.string(),
  kind: z.string(),
  trigger: z.string(),
  region: z.string(),
  status: z.string(),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
  gap: gapShape.nullable(),
});
export type Result = z.output<typeof resultShape>;

const resultPage = z.object({ data: z.array(resultShape), nextCursor: z.string().nullable() });

const createdShape = z.object({ id: z.string() });

/** Upper bound of retries of a refused call. */
const AGAIN = 5;

function isForNow(answer: Response, expectedStatus: number): boolean {
  return answer.status === 503 && expectedStatus !== 503 && answer.headers.has('retry-after');
}

export interface ApiClient {
  readonly call: <Shape extends z.ZodType>(
    request: { readonly method: string; readonly path: string; readonly body?: unknown },
    expected: { readonly status: number; readonly shape: Shape },
  ) => Promise<z.output<Shape>>;
  readonly createMonitor: (body: object) => Promise<string>;
  /** Resolves to every result of the monitor from all pages, newest first. */
  readonly resultsOf: (monitorId: string) => Promise<readonly Result[]>;
}

export function createApiClient(url: string, apiKey: string): ApiClient {
  const call: ApiClient['call'] = async ({ method, path, body }, { status, shape }) => {
    const idempotency = method === 'POST' && { 'idempotency-key': randomUUID() };
    const send = () =>
      fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${apiKey}`,
          'content-type': 'application/json',
          ...idempotency,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    let answer = await send();
    for (let again = 0; again < AGAIN && isForNow(answer, status); again += 1) {
      await sleep(Number(answer.headers.get('retry-after')) * 1_000);
      answer = await send();
    }
    const text = await answer.text();
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return shape.parse(text === '' ? undefined : JSON.parse(text));
  };

  async function createMonitor(body: object): Promise<string> {
    const request = { method: 'POST', path: '/v1/monitors', body };
    return (await call(request, { status: 201, shape: createdShape })).id;
  }

  async function resultsOf(monitorId: string): Promise<readonly Result[]> {
    const rows: Result[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const query: string = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
      const path = `/v1/monitors/${monitorId}/results?limit=200${query}`;
      const page: z.output<typeof resultPage> = await call(
        { method: 'GET', path },
        { status: 200, shape: resultPage },
      );
      rows.push(...page.data);
      cursor = page.nextCursor;
    }
    return rows;
  }

  return { call, createMonitor, resultsOf };
}

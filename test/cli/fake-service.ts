/** A fake service that responds as a test says and records its requests. */
import { startRecordingTarget } from '../support/recording-target';

export interface FakeService {
  readonly url: string;
  readonly asked: {
    readonly line: string;
    readonly query: URLSearchParams;
    readonly key: string | undefined;
    readonly body: unknown;
  }[];
  readonly close: () => Promise<void>;
}

type Answer = readonly [status: number, body: unknown, headers?: Record<string, string>];

/**
 * Starts the service. `answers` contains a list of responses for each method and path. They are sent in order, and the
 * last one is repeated. A stream of events is sent as it is, all other bodies as JSON.
 */
export async function startFakeService(
  answers: Readonly<Record<string, readonly Answer[]>>,
): Promise<FakeService> {
  const asked: FakeService['asked'] = [];
  const left = new Map(Object.entries(answers).map(([line, list]) => [line, [...list]]));
  const { origin, close } = await startRecordingTarget(
    ({ method, url, headers, body }, response) => {
      const line = `${method} ${url.split('?')[0]}`;
      const key = headers['idempotency-key']?.toString();
      const query = new URL(url, 'http://localhost').searchParams;
      asked.push({ line, query, key, body: body === '' ? null : JSON.parse(body) });
      const list = left.get(line) ?? [];
      const [status, reply, more] = (list.length > 1 ? list.shift() : list[0]) ?? [404, {}];
      response.writeHead(status, { 'content-type': 'application/json', ...more });
      const isText = more?.['content-type'] === 'text/event-stream';
      response.end(isText ? reply : JSON.stringify(reply));
    },
  );
  return {
    url: origin,
    asked,
    close,
  };
}

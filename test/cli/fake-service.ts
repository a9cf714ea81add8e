/** A service that answers what a test says, and keeps what it was asked. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeService {
  readonly url: string;
  readonly asked: {
    readonly line: string;
    readonly key: string | undefined;
    readonly body: unknown;
  }[];
  readonly close: () => Promise<void>;
}

type Answer = readonly [status: number, body: unknown, headers?: Record<string, string>];

/** By method and path; a list is answered one after the other, the last one again and again. */
export async function startFakeService(
  answers: Readonly<Record<string, readonly Answer[]>>,
): Promise<FakeService> {
  const asked: FakeService['asked'] = [];
  const left = new Map(Object.entries(answers).map(([line, list]) => [line, [...list]]));
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const line = `${request.method} ${(request.url ?? '').split('?')[0]}`;
      const text = Buffer.concat(parts).toString();
      const key = request.headers['idempotency-key']?.toString();
      asked.push({ line, key, body: text === '' ? null : JSON.parse(text) });
      const list = left.get(line) ?? [];
      const [status, body, headers] = (list.length > 1 ? list.shift() : list[0]) ?? [404, {}];
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

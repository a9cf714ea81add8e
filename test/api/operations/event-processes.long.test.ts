/**
 * Tests live changes between real processes. Every API process sends an event for each check that any process records.
 * CI tests two applications on one database in one process (events.it.test.ts).
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { startService, type TestService } from '../../support/service';
import { waitUntil } from '../../support/wait-until';

let first: TestService;
let second: TestService;
let key: string;
let target: Server;

beforeAll(async () => {
  target = createServer((_request, response) => response.end('fine'));
  target.listen(0, '127.0.0.1');
  await once(target, 'listening');
  first = await startService({ regions: ['eu-west'] });
  ({ apiKey: key } = await first.setup());
  second = await startService({
    regions: [],
    database: first.suite,
    environment: { KEEPWATCH_REGIONS: 'eu-west' },
  });
});
afterAll(async () => {
  target.close();
  await Promise.all([first.stop(), second.stop()]);
});

interface Told {
  readonly kind: string;
  readonly id: string;
}

async function follow({ url }: TestService) {
  const answer = await fetch(`${url}/v1/events`, { headers: { Authorization: `Bearer ${key}` } });
  expect(answer.status).toBe(200);
  const told: Told[] = [];
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of answer.body ?? []) {
      const lines = (text + decoder.decode(chunk)).split('\n');
      text = lines.pop() ?? '';
      for (const line of lines)
        if (line.startsWith('data:{')) told.push(JSON.parse(line.slice('data:'.length)));
    }
  };
  return { told, over: read() };
}

async function createMonitor(): Promise<string> {
  const address = target.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const answer = await fetch(`${first.url}/v1/monitors`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'm', url: `http://127.0.0.1:${port}/`, interval: 10 }),
  });
  const { id }: { id: string } = JSON.parse(await answer.text());
  return id;
}

it('both API processes send an event for a check, and end their event streams when the processes stop', async () => {
  const streams = await Promise.all([follow(first), follow(second)]);
  const id = await createMonitor();
  for (const { told } of streams) {
    const isChecked = () => told.some((change) => change.kind === 'monitor' && change.id === id);
    await waitUntil('the check is sent as an event', isChecked);
    expect(told).toContainEqual(expect.objectContaining({ kind: 'definition', id }));
  }
  await Promise.all([first.kill('api', 'SIGTERM'), second.kill('api', 'SIGTERM')]);
  await Promise.all(streams.map(({ over }) => over));
});

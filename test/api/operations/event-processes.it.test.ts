/** Live changes between real processes: a check that one side settles is told by every API process. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { startService, type TestService } from '../../support/service';
import { waitUntil } from '../../support/wait-until';

const PROMISED_MS = 2_000;
/** Machines that run tests are busy. */
const SLACK_MS = 3_000;

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
  readonly atMs: number;
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
        if (line.startsWith('data:{'))
          told.push({ ...JSON.parse(line.slice('data:'.length)), atMs: Date.now() });
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

/** When the newest result ended. */
async function newestEndMs(id: string): Promise<number> {
  const answer = await fetch(`${first.url}/v1/monitors/${id}/results?limit=1`, {
    headers: { Authorization: `Bearer ${key}` },
  });
  const { data }: { data: { finishedAt: string }[] } = JSON.parse(await answer.text());
  return Date.parse(data[0]?.finishedAt ?? '');
}

it('both API processes tell of a check within two seconds of its end, and end their streams at once', async () => {
  const streams = await Promise.all([follow(first), follow(second)]);
  const id = await createMonitor();
  for (const { told } of streams) {
    const checked = () => told.find((change) => change.kind === 'monitor' && change.id === id);
    const { atMs } = await waitUntil('the check is told', checked);
    expect(atMs - (await newestEndMs(id))).toBeLessThan(PROMISED_MS + SLACK_MS);
    expect(told).toContainEqual(expect.objectContaining({ kind: 'definition', id }));
  }

  const stoppedAtMs = Date.now();
  await Promise.all([first.kill('api', 'SIGTERM'), second.kill('api', 'SIGTERM')]);
  await Promise.all(streams.map(({ over }) => over));
  expect(Date.now() - stoppedAtMs).toBeLessThan(PROMISED_MS + SLACK_MS);
});

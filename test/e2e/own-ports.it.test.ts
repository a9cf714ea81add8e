/**
 * Tests that an allowed loopback range allows targets in this range, but never the servers of the installation itself.
 */
import { type RecordingTarget, startRecordingTarget } from '../support/recording-target';
import { openSharedService, type SharedService } from '../support/shared-service';

let service: SharedService;
let target: RecordingTarget;
let apiKey: string;

beforeAll(async () => {
  service = await openSharedService();
  ({ apiKey } = await service.newAccount());
  target = await startRecordingTarget(({ url }, response) => {
    if (url === '/') response.end('ok');
    else response.writeHead(302, { location: `${service.url}/metrics` }).end();
  });
});
afterAll(async () => {
  await target?.close();
  await service?.close();
});

async function post(path: string, body: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

test('the API refuses to save a monitor or webhook that points at the API itself', async () => {
  const { port } = new URL(service.url);
  for (const host of ['127.0.0.1', 'localhost', '127.0.0.9', '[::ffff:127.0.0.1]']) {
    const url = `http://${host}:${port}/metrics`;
    const monitor = await post('/v1/monitors', { name: 'own', url });
    expect([url, monitor.status, monitor.text]).toEqual([
      url,
      400,
      expect.stringContaining('blocked_target'),
    ]);
    const channel = await post('/v1/alert-channels', { name: 'own', type: 'webhook', url });
    expect(channel.status).toBe(400);
  }
});

test('a probe reaches other ports of its machine, but refuses a redirect to the API', async () => {
  const check = async (path: string) => {
    const body = { name: 'x', url: `${target.origin}${path}`, region: 'eu-west' };
    return (await post('/v1/monitors/test', body)).text;
  };
  expect(await check('/')).toContain('"ok":true');
  const refused = await check('/elsewhere');
  expect(refused).toContain('"ok":false');
  expect(refused).toContain('blocked_target');
});

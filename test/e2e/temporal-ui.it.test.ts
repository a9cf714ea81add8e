/**
 * Tests the real Temporal UI behind the real API: pages, data, decoded payloads and writes.
 *
 * Covers:
 * - services/operations/workflow-url
 */
import { z } from 'zod';
import { openPage } from '../dashboard/support/browser';
import { OWNER } from '../support/service';
import { connectBrowser } from '../support/shared-browser';
import { openSharedService, type SharedService } from '../support/shared-service';
import { waitUntil } from '../support/wait-until';

const settingsShape = z.object({ Codec: z.object({ Endpoint: z.string() }) });
const payloadShape = z.object({ metadata: z.record(z.string(), z.string()), data: z.string() });
const historyShape = z.object({
  history: z.object({
    events: z
      .array(
        z.looseObject({
          workflowExecutionStartedEventAttributes: z
            .object({ input: z.object({ payloads: z.array(payloadShape) }) })
            .optional(),
        }),
      )
      .min(1),
  }),
});
const monitorShape = z.object({
  id: z.string(),
  links: z.object({ temporal: z.object({ workflowId: z.string(), url: z.url() }) }),
});

let service: SharedService;
let cookie: string;

beforeAll(async () => {
  service = await openSharedService();
  const answer = await fetch(`${service.url}/v1/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(OWNER),
  });
  cookie = String(answer.headers.get('set-cookie')).split(';')[0] ?? '';
});
afterAll(() => service?.close());

const get = (path: string) => fetch(`${service.url}${path}`, { headers: { cookie } });

async function readJson<Shape extends z.ZodType>(path: string, shape: Shape) {
  return shape.parse(await (await get(path)).json());
}

async function createMonitor(name: string) {
  const answer = await fetch(`${service.url}/v1/monitors`, {
    method: 'POST',
    headers: { cookie, origin: service.url, 'content-type': 'application/json' },
    body: JSON.stringify({ name, url: 'http://127.0.0.1:2/', interval: 3600, enabled: false }),
  });
  return monitorShape.parse(await answer.json());
}

test('pages of the Temporal UI and their files come from our own origin', async () => {
  const page = await get('/temporal');
  const html = await page.text();
  expect(page.headers.get('x-frame-options')).toBe('DENY');
  const [, asset = ''] = /href="(\/temporal\/[^"]+\.js)"/.exec(html) ?? [];
  expect((await get(asset)).headers.get('content-type')).toContain('javascript');
  const settings = await readJson('/temporal/api/v1/settings', settingsShape);
  expect(settings.Codec.Endpoint).toBe('/internal/codec');
});

test('a monitor links to its workflow, and an admin can read the payloads there', async () => {
  const { links } = await createMonitor('linked');
  const { url, workflowId } = links.temporal;
  expect((await get(new URL(url).pathname)).status).toBe(200);
  const path = `/temporal/api/v1/namespaces/${service.suite}/workflows/${workflowId}/history`;
  const { history } = await waitUntil('the history', () => readJson(path, historyShape));
  const payloads = history.events[0]?.workflowExecutionStartedEventAttributes?.input.payloads;
  expect(Buffer.from(payloads?.[0]?.data ?? '', 'base64').includes(workflowId.slice(8))).toBe(
    false,
  );
  const decoded = await fetch(`${service.url}/internal/codec/decode`, {
    method: 'POST',
    headers: { cookie, origin: service.url, 'content-type': 'application/json' },
    body: JSON.stringify({ payloads }),
  });
  const opened = z.object({ payloads: z.array(payloadShape) }).parse(await decoded.json());
  const state: unknown = JSON.parse(
    Buffer.from(opened.payloads[0]?.data ?? '', 'base64').toString(),
  );
  expect(state).toMatchObject({ config: { id: workflowId.replace('monitor-', '') } });
});

test('the Temporal UI cannot be opened without a login', async () => {
  const page = await fetch(`${service.url}/temporal/`, {
    headers: { accept: 'text/html' },
    redirect: 'manual',
  });
  expect([page.status, page.headers.get('location')]).toEqual([303, '/login?next=%2Ftemporal%2F']);
  expect((await fetch(`${service.url}/temporal/api/v1/settings`)).status).toBe(401);
});

test('the Temporal UI shows its data in a browser, and its scripts cannot reach our API', async () => {
  const { links } = await createMonitor('in a browser');
  const { workflowId } = links.temporal;
  const browser = await connectBrowser();
  const { context, page, faults } = await openPage(browser);
  try {
    const [name = '', value = ''] = cookie.split('=');
    await context.addCookies([{ name, value, url: service.url }]);
    const address = `${service.url}/temporal/namespaces/${service.suite}/workflows/${workflowId}`;
    // Reloads the page, because the UI does not repeat requests that a busy machine refused.
    await waitUntil('the decoded input', async () => {
      await page.goto(address);
      // `lastKnown` is a field of the input. It is shown only if the codec endpoint has decoded the input.
      const isShown = `document.body.innerText.includes('"lastKnown"')`;
      await page.waitForFunction(isShown);
      return true;
    });
    expect(faults.filter((fault) => fault.includes('Content Security Policy'))).toEqual([]);
    // Sends the request that an injected script would send.
    const reach = (path: string) =>
      page.evaluate(
        (asked) =>
          fetch(asked).then(
            ({ status }) => `${status}`,
            () => 'refused',
          ),
        path,
      );
    expect(await reach('/v1/session')).toBe('refused');
    expect(await reach('/temporal/api/v1/settings')).toBe('200');
    expect(await page.evaluate("window.open('/') === null")).toBe(true);
  } finally {
    await context.close();
    await browser.close();
  }
});

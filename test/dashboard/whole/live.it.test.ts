/** Pages follow what happens: by the stream, without it by asking again, and once when it is back. */
import { z } from 'zod';
import type { Watched } from '../support/browser';
import { type Dashboard, openDashboard, settled } from '../support/dashboard';

/** More than the pause between two reads without a stream. */
const POLLED_WITHIN_MS = 40_000;
const STREAM = '**/v1/events';

let dashboard: Dashboard;
let visitor: Watched;
let id: string;

beforeAll(async () => {
  dashboard = await openDashboard();
  id = await dashboard.api.createMonitor({
    name: 'First name',
    url: 'http://example.com/',
    enabled: false,
  });
  visitor = await dashboard.visit();
});
afterAll(() => dashboard?.close());

const rename = (name: string) =>
  dashboard.api.call(
    { method: 'PATCH', path: `/v1/monitors/${id}`, body: { name } },
    { status: 200, shape: z.looseObject({}) },
  );
const shown = (name: string) => visitor.page.getByRole('link', { name, exact: true });

test('a page without its stream says so and asks again; when the stream is back it reads all once', async () => {
  const { page, faults } = visitor;
  const asked: string[] = [];
  page.on('request', (sent) => asked.push(new URL(sent.url()).pathname));
  await page.route(STREAM, (route) => route.abort());
  await page.goto(`${dashboard.service.url}/monitors`);
  await settled(visitor);
  await page.getByText('Reconnecting', { exact: true }).waitFor();
  await rename('Second name');
  await shown('Second name').waitFor({ timeout: POLLED_WITHIN_MS });

  asked.length = 0;
  await page.unroute(STREAM);
  await page.getByText('Live', { exact: true }).waitFor({ timeout: POLLED_WITHIN_MS });
  const beforeLive = asked.indexOf('/v1/events');
  await rename('Third name');
  await shown('Third name').waitFor();
  // No change of a monitor touches the regions, so that only the read of everything asks for them.
  const afterLive = asked.slice(beforeLive);
  expect(afterLive.filter((path) => path === '/v1/regions')).toHaveLength(1);
  expect(faults.filter((fault) => !fault.includes('/v1/events'))).toEqual([]);
}, 120_000);

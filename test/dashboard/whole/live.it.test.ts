/**
 * Tests that pages stay up to date: by the event stream, by polling without the stream, and by one reload when the
 * stream is back.
 */
import { z } from 'zod';
import { fromHook } from '../../support/from-hook';
import { startLoopbackServer } from '../../support/loopback-server';
import { isLongForm } from '../../support/test-size';
import { waitUntil } from '../../support/wait-until';
import { settled, suiteDashboard } from '../support/dashboard';

const STREAM = '**/v1/events';
const MINUTE_MS = 60_000;
const MINUTES = 10;

const target = fromHook(beforeAll, () =>
  startLoopbackServer((_request, response) => {
    response.end('fine');
  }),
);
afterAll(() => target.close());

let id: string;

const dashboard = suiteDashboard(async ({ api }) => {
  id = await api.createMonitor({ name: 'First name', url: 'http://example.com/', enabled: false });
});

const rename = (name: string) =>
  dashboard.api.call(
    { method: 'PATCH', path: `/v1/monitors/${id}`, body: { name } },
    { status: 200, shape: z.looseObject({}) },
  );

test('a page without its event stream says so and polls, and reloads once when the stream returns', async () => {
  const visitor = await dashboard.visit();
  const { page, faults } = visitor;
  const shown = (name: string) => page.getByRole('link', { name, exact: true });
  const asked: string[] = [];
  page.on('request', (sent) => asked.push(new URL(sent.url()).pathname));
  await page.route(STREAM, (route) => route.abort());
  await page.goto(`${dashboard.url}/monitors`);
  await settled(visitor);
  await page.getByText('Reconnecting', { exact: true }).waitFor();
  await rename('Second name');
  await shown('Second name').waitFor();

  asked.length = 0;
  await page.unroute(STREAM);
  await page.getByText('Live', { exact: true }).waitFor();
  const beforeLive = asked.indexOf('/v1/events');
  await rename('Third name');
  await shown('Third name').waitFor();
  // The requests for regions count the full reloads, because no change of a monitor reloads the regions.
  const countReads = () => asked.slice(beforeLive).filter((path) => path === '/v1/regions').length;
  await waitUntil('everything is reloaded', () => countReads() > 0);
  await settled(visitor);
  expect(countReads()).toBe(1);
  expect(faults.filter((fault) => !fault.includes('/v1/events'))).toEqual([]);
  await visitor.close();
});

test('an idle tab sends at most five requests a minute, for any number of checks', async () => {
  const { api, probe, service } = dashboard;
  const ids: string[] = [];
  for (const name of ['Quiet 1', 'Quiet 2', 'Quiet 3'])
    ids.push(await api.createMonitor({ name, url: target.url }));
  const check = () => Promise.all(ids.map((one) => probe.check(one)));
  await check();
  const visitor = await dashboard.visit();
  const { page } = visitor;
  await page.clock.install();
  const asked: string[] = [];
  page.on('request', (sent) => {
    const { pathname, search } = new URL(sent.url());
    if (pathname.startsWith('/v1/') && pathname !== '/v1/events') asked.push(pathname + search);
  });
  const paths = [`/monitors/${ids[0]}`, '/', '/checks'];
  for (const path of isLongForm ? paths : paths.slice(0, 2)) {
    await page.goto(dashboard.url + path);
    await settled(visitor);
    await page.getByText('Live', { exact: true }).waitFor();
    await page.clock.runFor(2 * MINUTE_MS);
    await settled(visitor);
    asked.length = 0;
    for (let minute = 0; minute < MINUTES; minute += 1) {
      service.clock.nowMs += MINUTE_MS;
      await check();
      await page.clock.runFor(MINUTE_MS);
      await settled(visitor);
    }
    const isQuiet = asked.length <= 5 * MINUTES;
    expect({ path, isQuiet, asked: isQuiet ? [] : asked }).toEqual({
      path,
      isQuiet: true,
      asked: [],
    });
  }
  await visitor.close();
});

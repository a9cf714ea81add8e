/** From one failure to the next, on the pages of results and of runs, by button and by arrow key. */
import { z } from 'zod';
import { type SwitchableTarget, startSwitchableTarget } from '../../support/switchable-target';
import { waitUntil } from '../../support/wait-until';
import { type Dashboard, openDashboard } from '../support/dashboard';

const FAILURES = 3;
const PAGE = z.object({ data: z.array(z.looseObject({ id: z.string() })) });

let dashboard: Dashboard;
let target: SwitchableTarget;

beforeAll(async () => {
  [target, dashboard] = await Promise.all([startSwitchableTarget(), openDashboard()]);
  target.failing.add('/broken');
});
afterAll(async () => {
  await dashboard?.close();
  await target?.close();
});

/** Newest first, once there are as many as wanted; each is asked for when the one before has ended. */
async function failuresOf(path: string, status: string): Promise<readonly string[]> {
  const { api } = dashboard;
  const list = `${path}/results?status=${status}&limit=200`;
  const read = async () =>
    (await api.call({ method: 'GET', path: list }, { status: 200, shape: PAGE })).data;
  for (let wanted = 1; wanted <= FAILURES; wanted++) {
    await waitUntil('a failure', async () => (await read()).length >= wanted, 30_000);
    await api.call({ method: 'POST', path: `${path}/run` }, { status: 202, shape: z.unknown() });
  }
  return (await read()).map(({ id }) => id);
}

async function walks(pages: readonly string[]): Promise<void> {
  const [newest = '', middle = '', oldest = ''] = pages.slice(-FAILURES);
  const { context, page } = await dashboard.visit();
  const previous = page.getByRole('button', { name: 'Previous failure' });
  const next = page.getByRole('button', { name: 'Next failure' });
  await page.goto(dashboard.service.url + middle);
  await previous.click();
  await page.waitForURL(`**${oldest}`);
  await waitUntil('the end', () => previous.isDisabled());
  await next.click();
  await page.waitForURL(`**${middle}`);
  await waitUntil('the next one', () => next.isEnabled());
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(`**${newest}`);
  await context.close();
}

test('a result leads to the failures right before and after it', async () => {
  const url = `${target.url}/broken`;
  const id = await dashboard.api.createMonitor({ name: 'Shop', url, interval: 3_600 });
  const failures = await failuresOf(`/v1/monitors/${id}`, 'down');
  await walks(failures.map((result) => `/monitors/${id}/results/${encodeURIComponent(result)}`));
});

test('so does a run', async () => {
  const steps = [{ name: 'Open', url: `${target.url}/broken` }];
  const body = { name: 'Buy', interval: 3_600, steps };
  const shape = z.object({ id: z.string() });
  const request = { method: 'POST', path: '/v1/scenarios', body };
  const { id } = await dashboard.api.call(request, { status: 201, shape });
  const failures = await failuresOf(`/v1/scenarios/${id}`, 'failed,timed_out');
  await walks(failures.map((run) => `/scenarios/${id}/runs/${run}`));
});

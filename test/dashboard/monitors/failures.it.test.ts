/** Tests navigation to other results, runs and failures, by button, menu and arrow key. */
import { z } from 'zod';
import { urlOfNobody } from '../../support/loopback-server';
import { waitUntil } from '../../support/wait-until';
import { load, suiteDashboard, visitorOfSuite } from '../support/dashboard';

const FAILURES = [1, 2, 3];
const PAGE = z.object({ data: z.array(z.object({ id: z.string() })).length(FAILURES.length) });

const dashboard = suiteDashboard();
const visitor = visitorOfSuite(dashboard);

/** Walks through the pages of failures. `pages` contains three paths, newest first. */
async function expectWalk(pages: readonly string[], noun: string): Promise<void> {
  const [newest = '', middle = '', oldest = ''] = pages;
  const page = await load(dashboard, visitor, middle);
  const previous = page.getByRole('button', { name: `Previous ${noun}` });
  const next = page.getByRole('button', { name: `Next ${noun}` });
  const failures = page.getByRole('button', { name: 'Failures' });
  await failures.click();
  await page.getByRole('menuitem', { name: 'Previous failure' }).click();
  await page.waitForURL(`**${oldest}`);
  await waitUntil('the end', () => previous.isDisabled());
  await next.click();
  await page.waitForURL(`**${middle}`);
  await waitUntil('the next one', () => next.isEnabled());
  await waitUntil('the failures', () => failures.isVisible());
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(`**${newest}`);
}

test('a result links to the previous and next result and failure', async () => {
  const { api, probe } = dashboard;
  const id = await api.createMonitor({ name: 'Shop', url: await urlOfNobody() });
  for (const _ of FAILURES) await probe.check(id);
  const list = { method: 'GET', path: `/v1/monitors/${id}/results?status=down` };
  const { data } = await api.call(list, { status: 200, shape: PAGE });
  await expectWalk(
    data.map((one) => `/monitors/${id}/results/${encodeURIComponent(one.id)}`),
    'result',
  );
});

test('a run links to the previous and next run and failure', async () => {
  const { api, probe } = dashboard;
  const body = { name: 'Buy', steps: [{ name: 'Open', url: await urlOfNobody() }] };
  const { id } = await api.call(
    { method: 'POST', path: '/v1/scenarios', body },
    { status: 201, shape: z.object({ id: z.string() }) },
  );
  const runs: string[] = [];
  for (const _ of FAILURES) runs.unshift(await probe.run(id));
  await expectWalk(
    runs.map((run) => `/scenarios/${id}/runs/${run}`),
    'run',
  );
});

test('a scenario shows and links its last run, which has no menu of failures if no other run failed', async () => {
  const { api, probe } = dashboard;
  const body = { name: 'Rent', steps: [{ name: 'Open', url: await urlOfNobody() }] };
  const { id } = await api.call(
    { method: 'POST', path: '/v1/scenarios', body },
    { status: 201, shape: z.object({ id: z.string() }) },
  );
  const run = await probe.run(id);
  const page = await load(dashboard, visitor, `/scenarios/${id}`);
  await page.getByRole('region', { name: 'Last run' }).getByText('1. Open').waitFor();
  await page.getByRole('link', { name: /^last failed .* ago/ }).click();
  await page.waitForURL(`**/scenarios/${id}/runs/${run}`);
  await page.getByRole('button', { name: 'Next run' }).waitFor();
  expect(await page.getByRole('button', { name: 'Failures' }).count()).toBe(0);
});

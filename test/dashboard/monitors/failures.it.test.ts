/** Tests navigation from one failure to the next, on the pages of results and of runs, by button and by arrow key. */
import { z } from 'zod';
import { urlOfNobody } from '../../support/loopback-server';
import { waitUntil } from '../../support/wait-until';
import { load, suiteDashboard, visitorOfSuite } from '../support/dashboard';

const FAILURES = [1, 2, 3];
const PAGE = z.object({ data: z.array(z.object({ id: z.string() })).length(FAILURES.length) });

const dashboard = suiteDashboard();
const visitor = visitorOfSuite(dashboard);

/** Walks through the pages of failures. `pages` contains three paths, newest first. */
async function expectWalk(pages: readonly string[]): Promise<void> {
  const [newest = '', middle = '', oldest = ''] = pages;
  const page = await load(dashboard, visitor, middle);
  const previous = page.getByRole('button', { name: 'Previous failure' });
  const next = page.getByRole('button', { name: 'Next failure' });
  await previous.click();
  await page.waitForURL(`**${oldest}`);
  await waitUntil('the end', () => previous.isDisabled());
  await next.click();
  await page.waitForURL(`**${middle}`);
  await waitUntil('the next one', () => next.isEnabled());
  await page.keyboard.press('ArrowRight');
  await page.waitForURL(`**${newest}`);
}

test('a result links to the previous and next failure', async () => {
  const { api, probe } = dashboard;
  const id = await api.createMonitor({ name: 'Shop', url: await urlOfNobody() });
  for (const _ of FAILURES) await probe.check(id);
  const list = { method: 'GET', path: `/v1/monitors/${id}/results?status=down` };
  const { data } = await api.call(list, { status: 200, shape: PAGE });
  await expectWalk(data.map((one) => `/monitors/${id}/results/${encodeURIComponent(one.id)}`));
});

test('a run links to the previous and next failed run', async () => {
  const { api, probe } = dashboard;
  const body = { name: 'Buy', steps: [{ name: 'Open', url: await urlOfNobody() }] };
  const { id } = await api.call(
    { method: 'POST', path: '/v1/scenarios', body },
    { status: 201, shape: z.object({ id: z.string() }) },
  );
  const runs: string[] = [];
  for (const _ of FAILURES) runs.unshift(await probe.run(id));
  await expectWalk(runs.map((run) => `/scenarios/${id}/runs/${run}`));
});

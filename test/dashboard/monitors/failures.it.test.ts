/** Tests navigation to other results, runs and failures, by button and arrow key. */
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
  const failures = page.getByRole('button', { name: 'Previous failure' });
  await failures.click();
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

test('a failed result links its incident, and a new check of its monitor is the next result', async () => {
  const { api, probe } = dashboard;
  const id = await api.createMonitor({ name: 'Till', url: await urlOfNobody() });
  await probe.check(id);
  const list = { method: 'GET', path: `/v1/monitors/${id}/results` };
  const shape = z.object({ data: z.array(z.object({ id: z.string() })).length(1) });
  const { data } = await api.call(list, { status: 200, shape });
  const path = `/monitors/${id}/results/${encodeURIComponent(data[0]?.id ?? '')}`;
  const page = await load(dashboard, visitor, path);
  await page.getByRole('button', { name: 'Check now' }).click();
  await page.getByText('Till is being checked. “Next result” leads to its result.').waitFor();
  await page.getByRole('link', { name: 'View incident' }).click();
  await page.getByRole('heading', { name: 'Till', level: 1 }).waitFor();
  await page.getByText(/^Down, checked (now|\d+ s ago)/).waitFor();
  await page.getByRole('button', { name: 'Check now' }).waitFor();
  await page.getByText('Previous incident').waitFor();
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

test('a scenario shows and links its last run, which has no buttons to failures if no other run failed', async () => {
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
  expect(await page.getByRole('button', { name: /failure$/ }).count()).toBe(0);
});

// Moves the clock of the service, so it is the last test.
test('a resolved incident leads to the open incident of its check, and labels the note of the check', async () => {
  const { api, probe, service } = dashboard;
  const nobody = await urlOfNobody();
  const id = await api.createMonitor({ name: 'Stock', url: nobody, note: 'Ask the depot.' });
  const checkAt = async (url: string): Promise<void> => {
    const edit = { method: 'PATCH', path: `/v1/monitors/${id}`, body: { url } };
    await api.call(edit, { status: 200, shape: z.object({}) });
    await probe.check(id);
    // A failure soon after a recovery would belong to the same incident.
    service.clock.nowMs += 10 * 60_000;
  };
  for (const url of [nobody, `${dashboard.url}/login`, nobody]) await checkAt(url);
  const list = { method: 'GET', path: `/v1/incidents?resourceId=${id}` };
  const shape = z.object({ data: z.array(z.object({ id: z.string() })).length(2) });
  const { data } = await api.call(list, { status: 200, shape });
  const page = await load(dashboard, visitor, `/incidents/${data[1]?.id}`);
  await page.getByText(/^Down again since .*, see the open incident$/).waitFor();
  await page.getByText('Note on the check: Ask the depot.').waitFor();
  await page.getByRole('link', { name: 'see the open incident' }).click();
  await page.waitForURL(`**/incidents/${data[0]?.id}`);
  await page.getByText(/^Down, checked /).waitFor();
});

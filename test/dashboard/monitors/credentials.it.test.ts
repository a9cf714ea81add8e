/** Credentials in headers of a monitor, in a real browser: masked everywhere, and a secret by one press. */
import { z } from 'zod';
import type { Watched } from '../support/browser';
import { type Dashboard, openDashboard, settled } from '../support/dashboard';

const CREDENTIAL = 'live-token-of-the-shop';

let dashboard: Dashboard;
let visitor: Watched;
let id = '';

beforeAll(async () => {
  dashboard = await openDashboard();
  id = await dashboard.api.createMonitor({
    name: 'Shop',
    url: 'https://example.com/',
    headers: { Authorization: `Bearer ${CREDENTIAL}` },
    enabled: false,
  });
  visitor = await dashboard.visit();
});
afterAll(async () => {
  await visitor?.context.close();
  await dashboard?.close();
});

async function open(path: string): Promise<Watched['page']> {
  await visitor.page.goto(dashboard.service.url + path);
  await settled(visitor);
  return visitor.page;
}

test('neither the configuration nor the YAML shows them', async () => {
  const page = await open(`/monitors/${id}?tab=configuration`);
  await page.getByText('Authorization: ••••••').waitFor();
  await open(`/monitors/${id}/edit`);
  await page.getByText('YAML', { exact: true }).click();
  await page.getByText('Authorization: ••••••').waitFor();
  expect(await page.content()).not.toContain(CREDENTIAL);
});

test('one press makes one a secret, and the monitor keeps its reference', async () => {
  const page = await open(`/monitors/${id}/edit`);
  const value = page.getByLabel('Value of header 1', { exact: true });
  expect(await value.getAttribute('type')).toBe('password');
  await page.getByRole('button', { name: 'Save as secret' }).click();
  await page.getByText('Saved as the secret “authorization”.').waitFor();
  expect(await value.inputValue()).toBe('Bearer {{secret:authorization}}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Shop', level: 1, exact: true }).waitFor();
  const saved = await dashboard.api.call(
    { method: 'GET', path: `/v1/monitors/${id}` },
    { status: 200, shape: z.looseObject({ headers: z.record(z.string(), z.string()) }) },
  );
  expect(saved.headers).toEqual({ Authorization: 'Bearer {{secret:authorization}}' });
  expect(visitor.faults).toEqual([]);
});

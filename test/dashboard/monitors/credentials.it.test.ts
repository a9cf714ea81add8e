/**
 * Tests credentials in headers of a monitor, in a real browser. They are masked everywhere, and one click turns them
 * into a secret.
 */
import { z } from 'zod';
import { load, suiteDashboard, visitorOfSuite } from '../support/dashboard';
import { eventually } from '../support/eventually';

const CREDENTIAL = 'live-token-of-the-shop';

let id = '';

const dashboard = suiteDashboard(async ({ api }) => {
  id = await api.createMonitor({
    name: 'Shop',
    url: 'https://example.com/',
    headers: { Authorization: `Bearer ${CREDENTIAL}` },
    enabled: false,
  });
});
const visitor = visitorOfSuite(dashboard);
const open = (path: string) => load(dashboard, visitor, path);

test('the configuration and the YAML of a monitor show no credentials', async () => {
  const page = await open(`/monitors/${id}?tab=configuration`);
  await page.getByText('Authorization: ••••••').waitFor();
  await open(`/monitors/${id}/edit`);
  await page.getByText('YAML', { exact: true }).click();
  await page.getByText('Authorization: ••••••').waitFor();
  expect(await page.content()).not.toContain(CREDENTIAL);
});

test('one click saves a credential as a secret, and the header then refers to the secret', async () => {
  const page = await open(`/monitors/${id}/edit`);
  const value = page.getByLabel('Value of header 1', { exact: true });
  await eventually(() => value.getAttribute('type')).toBe('password');
  await page.getByRole('button', { name: 'Save as secret' }).click();
  await page.getByText('Saved as the secret “authorization”.').waitFor();
  await eventually(() => value.inputValue()).toBe('Bearer {{secret:authorization}}');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Shop', level: 1, exact: true }).waitFor();
  const saved = await dashboard.api.call(
    { method: 'GET', path: `/v1/monitors/${id}` },
    { status: 200, shape: z.looseObject({ headers: z.record(z.string(), z.string()) }) },
  );
  expect(saved.headers).toEqual({ Authorization: 'Bearer {{secret:authorization}}' });
});

/**
 * Tests certificates in a real browser. Warning days can be typed into a monitor and a step. The pages of both show
 * when the certificate expires and which warning is reached.
 */
import { z } from 'zod';
import { isLongForm } from '../../support/test-size';
import { alterResponses } from '../support/alter-responses';
import { follow, load, suiteDashboard, visitorOfSuite } from '../support/dashboard';

const HOUR_MS = 3_600_000;
const EXPIRY = { tlsExpiresAt: new Date(Date.now() + 60 * HOUR_MS).toISOString(), tlsWarning: 3 };
const warned = z.looseObject({ tls: z.object({ warnDays: z.array(z.number()) }) });
const steps = z.looseObject({ steps: z.array(warned) });

const URL_OF_SHOP = 'http://example.com/';

const dashboard = suiteDashboard();
const visitor = visitorOfSuite(dashboard);

/** Empties the field and types new days. One of the days is repeated and one is invalid. */
async function typeDays(): Promise<void> {
  const name = 'Certificate warnings (days before)';
  const field = visitor.page.getByRole('combobox', { name });
  await field.click();
  for (const key of ['Backspace', 'Backspace']) await field.press(key);
  await field.pressSequentially('7,30,x,7,');
}

/** Expects that the page of the saved object shows the expiry of its certificate. */
async function expectExpiryShown(path: string): Promise<void> {
  const { page } = visitor;
  await page.getByText('Certificate expires').waitFor({ state: 'detached' });
  await alterResponses(page, `**/v1${path}`, EXPIRY);
  await load(dashboard, visitor, path);
  await page.getByText('Certificate expires in 2 days · 3-day warning').waitFor();
}

test('the warning days of a monitor can be typed, and its page says which warning is reached', async () => {
  const id = await dashboard.api.createMonitor({ name: 'Shop', url: URL_OF_SHOP });
  const page = await follow(dashboard, visitor, `/monitors/${id}/edit`);
  await page.getByRole('button', { name: 'Advanced' }).click();
  await typeDays();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL(new RegExp(`/monitors/${id}$`));
  const read = { method: 'GET', path: `/v1/monitors/${id}` } as const;
  expect(await dashboard.api.call(read, { status: 200, shape: warned })).toMatchObject({
    tls: { warnDays: [30, 7] },
  });
  await expectExpiryShown(`/monitors/${id}`);
});

if (isLongForm)
  test('the warning days of a step can be typed, and the page of its scenario shows the warning', async () => {
    const body = { name: 'Buy', steps: [{ name: 'order', url: URL_OF_SHOP }] };
    const { id } = await dashboard.api.call(
      { method: 'POST', path: '/v1/scenarios', body },
      { status: 201, shape: z.looseObject({ id: z.string() }) },
    );
    const page = await follow(dashboard, visitor, `/scenarios/${id}/edit`);
    await page.getByRole('button', { name: '1. order' }).click();
    await page.locator('summary', { hasText: 'Timing and repetition' }).click();
    await typeDays();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(new RegExp(`/scenarios/${id}$`));
    const read = { method: 'GET', path: `/v1/scenarios/${id}` } as const;
    expect(await dashboard.api.call(read, { status: 200, shape: steps })).toMatchObject({
      steps: [{ tls: { warnDays: [30, 7] } }],
    });
    await expectExpiryShown(`/scenarios/${id}`);
  });

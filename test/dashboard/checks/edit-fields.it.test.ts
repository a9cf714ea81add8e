/**
 * Tests changing fields of selected checks in a browser. A person chooses fields, sees the plan, applies it, follows it
 * and undoes it.
 */
import { z } from 'zod';
import { carryOutAll } from '../../services/rollouts/memory-service';
import { follow, load, suiteDashboard, visitorOfSuite } from '../support/dashboard';

const monitorShape = z.looseObject({ interval: z.number() });

const dashboard = suiteDashboard(async ({ api }) => {
  for (const name of ['Shop', 'Blog'])
    await api.createMonitor({ name, url: 'http://example.com/', enabled: false });
});
const visitor = visitorOfSuite(dashboard);

/** Runs the rollouts of the account in this process. */
const carryOut = () => carryOutAll(dashboard.service.services, dashboard.accountId);

async function readIntervals(): Promise<readonly number[]> {
  const page = await dashboard.api.call(
    { method: 'GET', path: '/v1/monitors' },
    { status: 200, shape: z.object({ data: z.array(monitorShape) }) },
  );
  return page.data.map(({ interval }) => interval);
}

test('a rollout gives two checks another interval after its plan was shown, and Undo restores the old interval', async () => {
  const page = await load(dashboard, visitor, '/checks');
  for (const name of ['Shop', 'Blog'])
    await page.getByRole('checkbox', { name: `Select ${name}` }).check();
  await page.getByRole('button', { name: 'Edit fields' }).click();
  const dialog = page.getByRole('dialog', { name: 'Edit 2 checks' });
  await dialog.getByRole('combobox', { name: 'Fields to change' }).focus();
  await page.keyboard.press('ArrowDown');
  await page.getByRole('option', { name: 'Interval' }).click();
  await page.keyboard.press('Tab');
  await dialog.getByRole('combobox', { name: 'Interval' }).click();
  await page.getByRole('option', { name: 'Every 30 seconds' }).click();
  await dialog.getByRole('button', { name: 'Show plan' }).click();
  await dialog.getByText('Interval 60 s → 30 s').waitFor();
  expect(await readIntervals()).toEqual([60, 60]);
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await dialog.getByText('0 of 2 checks done').waitFor();
  await carryOut();
  await dialog.getByText('2 checks changed').waitFor();
  expect(await readIntervals()).toEqual([30, 30]);
  await dialog.getByRole('button', { name: 'Undo' }).click();
  await dialog.getByText('0 of 2 checks done').waitFor();
  await carryOut();
  await dialog.getByText('2 checks changed').waitFor();
  expect(await readIntervals()).toEqual([60, 60]);
});

test('rollouts are listed with their change, and an undone rollout is marked as undone', async () => {
  const page = await follow(dashboard, visitor, '/settings/rollouts');
  await page.getByText('Interval: 30 s', { exact: true }).waitFor();
  await page.getByText(/2 checks changed · owner@example\.com · .* · undone/).waitFor();
  await page.getByRole('button', { name: 'Details of Interval: 30 s' }).click();
  await page.getByRole('dialog', { name: 'Rollout' }).getByText('2 checks changed').waitFor();
});

/** Tests definition files that are still being read, or cannot be read. settings.it.test.ts applies a valid file. */
import { follow, suiteDashboard, visitorOfSuite } from '../support/dashboard';
import { holdFiles } from '../support/hold-files';

const TARGET = 'http://127.0.0.1:2';

const dashboard = suiteDashboard();
const owner = visitorOfSuite(dashboard);
const open = (path: string) => follow(dashboard, owner, path);

test('changing an option while a definition file is read cancels its plan', async () => {
  const page = await open('/settings/transfer');
  const asked: unknown[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/v1/apply')) asked.push(request.postDataJSON());
  });
  const release = await holdFiles(page);
  const set = { monitors: [{ key: 'till', name: 'Till', url: `${TARGET}/ok` }] };
  const buffer = Buffer.from(JSON.stringify(set));
  const file = { name: 'keepwatch.json', mimeType: 'application/json', buffer };
  await page.setInputFiles('input[type=file]', file);
  await page.getByRole('button', { name: 'Show the plan' }).click();
  await page.getByRole('checkbox', { name: /^Remove what an earlier import/ }).check();
  await page.getByRole('textbox', { name: 'Import name' }).fill('shop');
  await release();
  await page.getByRole('button', { name: 'Show the plan' }).click();
  await release();
  await page.getByRole('heading', { name: 'Plan' }).waitFor();
  expect(asked).toEqual([{ ...set, set: 'shop', prune: true, dryRun: true }]);
});

test('a definition file that cannot be read is reported', async () => {
  const page = await open('/settings/transfer');
  await page.evaluate('Blob.prototype.text = () => Promise.reject(new Error("gone"))');
  const file = {
    name: 'keepwatch.json',
    mimeType: 'application/json',
    buffer: Buffer.from('{}'),
  };
  await page.setInputFiles('input[type=file]', file);
  await page.getByRole('button', { name: 'Show the plan' }).click();
  await page.getByText('The file cannot be read. Choose it again.').waitFor();
});

/**
 * Quiet checks on the whole service: what they stand on is killed and frozen while monitors are quiet. No
 * slot is lost, and what is seen in the engine is what is so. People's changes, failures and lost regions
 * are in quiet-changes.long.test.ts.
 */
import type { Result } from '../support/api-client';
import { type QuietService, startQuietService } from '../support/quiet-service';
import { waitUntil } from '../support/wait-until';

const BOTH = ['eu-west', 'us-east'];
const KILLED = ['/a', '/b', '/c', '/d'];

let quiet: QuietService;

beforeAll(async () => {
  const both = KILLED.map((path) => [path, BOTH]);
  quiet = await startQuietService({ ...Object.fromEntries(both), '/frozen': ['eu-west'] });
}, 400_000);
afterAll(() => quiet?.stop());

const resultsOf = (path: string): Promise<readonly Result[]> =>
  quiet.api.resultsOf(quiet.idOf(path));

/** Kills it in the middle of a delivery: it has taken results, and confirmed none. */
async function killApiInDelivery(): Promise<void> {
  const { service, target } = quiet;
  service.processes.get('api')?.kill('SIGSTOP');
  const before = target.countOf('/a');
  await waitUntil('the next slot', () => target.countOf('/a') >= before + BOTH.length);
  await service.kill('api');
  await service.start('api');
}

test('quiet monitors lose no slot while any process or server is killed', async () => {
  const { service, servers, readQuiet, idOf } = quiet;
  await quiet.untilAllQuiet(KILLED);
  for (const { said } of await readQuiet(idOf('/a')))
    expect(said).toMatch(/^up 200 in \d+ ms, slot \d\d:\d\d:\d\dZ$/);
  for (const name of ['probe-eu-west', 'orchestrator']) {
    await service.kill(name);
    await service.start(name);
    await quiet.untilLaterSlot('/a');
  }
  await killApiInDelivery();
  await quiet.untilLaterSlot('/a');
  for (const server of [servers.database, servers.temporal]) {
    server.kill();
    await quiet.untilLaterSlot('/a');
  }
  expect(await quiet.findLaterFaults(KILLED)).toEqual({});
}, 500_000);

test('while the database hangs, checks leave the quiet and go on, and afterwards nothing is missing', async () => {
  const { servers, target } = quiet;
  await quiet.untilAllQuiet(['/frozen']);
  servers.database.freeze();
  const before = target.countOf('/frozen');
  await waitUntil('three more checks', () => target.countOf('/frozen') >= before + 3);
  expect(await quiet.readQuiet(quiet.idOf('/frozen'))).toEqual([]);
  servers.database.thaw();
  expect(await quiet.findLaterFaults(['/frozen'])).toEqual({});
  await waitUntil('each request is a result', async () => {
    const measured = (await resultsOf('/frozen')).filter(({ status }) => status === 'up');
    return measured.length >= target.countOf('/frozen') - 1;
  });
}, 400_000);

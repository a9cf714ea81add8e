/** Tests the test of an unsaved monitor, in virtual time. */
import { testCheckWorkflowId } from '../../../src/contracts/workflows';
import { monitorConfig, outcomeOf } from '../../support/outcomes';
import { startVirtualService, type VirtualService } from '../virtual-service';

const DEADLINE_MS = 60_000;
let service: VirtualService;

beforeAll(async () => {
  service = await startVirtualService(['eu-west']);
});
afterAll(() => service.stop());

const configOf = (id: string, region: string) =>
  monitorConfig(id, { regions: [region], intervalMs: 10_000 });

it('a test of a monitor returns the outcome from the probe of the region and records nothing', async () => {
  service.answer('mon_draft', () => outcomeOf('down'));
  const outcome = await service.gateway.testMonitor(configOf('mon_draft', 'eu-west'), DEADLINE_MS);
  expect(outcome).toEqual(outcomeOf('down'));
  expect(service.sent).toMatchObject([{ id: 'mon_draft', region: 'eu-west', stepIndex: 0 }]);
  expect(service.ledger.checks).toEqual([]);
});

it('a test in a region without a worker is reported as unavailable and ends', async () => {
  const outcome = await service.gateway.testMonitor(configOf('mon_nowhere', 'moon'), DEADLINE_MS);
  expect(outcome).toMatchObject({ status: 'unknown', failure: { code: 'region_unavailable' } });
  const handle = service.client.workflow.getHandle(testCheckWorkflowId('mon_nowhere'));
  expect((await handle.describe()).status.name).toBe('COMPLETED');
});

it('a broken probe is reported as an internal error, never as a failure of the target', async () => {
  service.answer('mon_broken', () => {
    throw new Error('no definition');
  });
  const outcome = await service.gateway.testMonitor(configOf('mon_broken', 'eu-west'), DEADLINE_MS);
  expect(outcome).toMatchObject({ status: 'unknown', failure: { code: 'internal_error' } });
});

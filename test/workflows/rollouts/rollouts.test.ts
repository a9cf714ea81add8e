/**
 * Tests the workflow of an account's rollouts on a virtual clock. Rollouts run one after the other, with any losses in
 * between.
 */
import {
  type RolloutActivities,
  type RolloutCounts,
  rolloutsWorkflowId,
} from '../../../src/contracts/operations/rollouts';
import { wakeRollouts } from '../../../src/temporal/calls/rollout-calls';
import { keepHistory } from '../../replay/keep-history';
import { type Environment, openInProcess, type RunningWorker } from '../environments';

let environment: Environment;
let worker: RunningWorker | undefined;

beforeAll(async () => {
  environment = await openInProcess();
});
afterEach(() => worker?.stop());
afterAll(() => environment.stop());

const countsOf = (pending: number): RolloutCounts => ({
  pending,
  changed: 1,
  unchanged: 0,
  failed: 0,
  skipped: 0,
});

/** Returns activities for these rollouts. `slices` contains the number of slices that each rollout needs, by its id. */
function activitiesOf(slices: Map<string, number>) {
  const calls: string[] = [];
  const activities: RolloutActivities = {
    openRollout: async () => {
      const [rolloutId] = slices.keys();
      calls.push(`open ${rolloutId ?? 'none'}`);
      if (rolloutId === undefined) return null;
      return { rolloutId, counts: countsOf(slices.get(rolloutId) ?? 0) };
    },
    changeResources: async ({ rolloutId }) => {
      const left = (slices.get(rolloutId) ?? 0) - 1;
      slices.set(rolloutId, left);
      calls.push(`change ${rolloutId}`);
      return countsOf(left);
    },
    endRollout: async ({ rolloutId }) => {
      slices.delete(rolloutId);
      calls.push(`end ${rolloutId}`);
    },
  };
  return { activities, calls };
}

async function run(accountId: string, activities: RolloutActivities): Promise<void> {
  worker = await environment.startOrchestrator({ ...activities });
  await wakeRollouts(environment.client, accountId);
  const handle = environment.client.workflow.getHandle(rolloutsWorkflowId(accountId));
  await environment.until(
    'its end',
    async () => (await handle.describe()).status.name === 'COMPLETED',
  );
}

test('rollouts run one after the other, each until no resource is pending', async () => {
  const { activities, calls } = activitiesOf(
    new Map([
      ['rol_1', 2],
      ['rol_2', 1],
    ]),
  );
  await run('acc_two', activities);
  await keepHistory(environment, 'rollouts', rolloutsWorkflowId('acc_two'));
  expect(calls).toEqual([
    'open rol_1',
    'change rol_1',
    'change rol_1',
    'end rol_1',
    'open rol_2',
    'change rol_2',
    'end rol_2',
    'open none',
  ]);
});

test('a rollout that is stored while the workflow ends is carried out, too', async () => {
  const slices = new Map([['rol_1', 1]]);
  const { activities, calls } = activitiesOf(slices);
  const openRollout: RolloutActivities['openRollout'] = async (account) => {
    const opened = await activities.openRollout(account);
    if (opened === null && !calls.includes('end rol_2')) {
      slices.set('rol_2', 1);
      await wakeRollouts(environment.client, account.accountId);
    }
    return opened;
  };
  await run('acc_late', { ...activities, openRollout });
  expect(calls.filter((call) => call.startsWith('end'))).toEqual(['end rol_1', 'end rol_2']);
});

test('a step of a rollout that fails while the database is away is repeated until it succeeds', async () => {
  const { activities, calls } = activitiesOf(new Map([['rol_1', 1]]));
  let failures = 3;
  const changeResources: RolloutActivities['changeResources'] = async (name) => {
    failures -= 1;
    if (failures >= 0) throw new Error('the database is away');
    return activities.changeResources(name);
  };
  await run('acc_away', { ...activities, changeResources });
  expect(calls).toEqual(['open rol_1', 'change rol_1', 'end rol_1', 'open none']);
});

test('a rollout of thousands of resources continues as new and ends once', async () => {
  const slices = 700;
  const { activities, calls } = activitiesOf(new Map([['rol_1', slices]]));
  await run('acc_many', activities);
  expect(calls.filter((call) => call === 'change rol_1')).toHaveLength(slices);
  expect(calls.filter((call) => call === 'end rol_1')).toHaveLength(1);
});

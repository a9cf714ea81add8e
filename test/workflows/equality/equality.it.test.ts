/**
 * Tests that the in-process Temporal writes the same histories as the real server, and that workflows have the same
 * results on both. So a test on one of them is valid for the other.
 */
import { openInProcess, openRealTime } from '../environments';
import { startVirtualService } from '../virtual-service';
import { type Life, liveHeartbeat, liveMonitor, liveScenario } from './lives';

const LIVES = [
  ['monitor', liveMonitor],
  ['scenario', liveScenario],
  ['heartbeat', liveHeartbeat],
] as const;
type Name = (typeof LIVES)[number][0];

let real: ReadonlyMap<Name, Life>;
let inProcess: ReadonlyMap<Name, Life>;

beforeAll(async () => {
  real = await play(openRealTime);
  inProcess = await play(openInProcess);
});

async function play(openEnvironment: typeof openInProcess): Promise<ReadonlyMap<Name, Life>> {
  const service = await startVirtualService(['eu-west'], { openEnvironment });
  try {
    const lives = new Map<Name, Life>();
    for (const [name, live] of LIVES) lives.set(name, await live(service));
    return lives;
  } finally {
    await service.stop();
  }
}

test.each(LIVES)(
  'a %s has the same history in the in-process Temporal as on the real server, event by event',
  (name) => {
    expect(inProcess.get(name)).toEqual(real.get(name));
  },
);

test('the compared histories contain every kind of event that workflows cause', () => {
  const events = [...real.values()].flatMap(({ histories }) => histories.flat());
  const kinds = new Set(events.map(({ kind }) => kind));
  expect([...kinds]).toEqual(
    expect.arrayContaining([
      'activityTaskCancelRequested',
      'activityTaskCanceled',
      'activityTaskCompleted',
      'activityTaskFailed',
      'childWorkflowExecutionCompleted',
      'externalWorkflowExecutionCancelRequested',
      'markerRecorded',
      'timerCanceled',
      'timerFired',
      'upsertWorkflowSearchAttributes',
      'workflowExecutionCancelRequested',
      'workflowExecutionCompleted',
      'workflowExecutionContinuedAsNew',
      'workflowExecutionSignaled',
      'workflowExecutionUpdateCompleted',
    ]),
  );
  const markers = JSON.stringify(events.filter(({ kind }) => kind === 'markerRecorded'));
  expect(markers).toContain('"markerName":"core_patch"');
  expect(markers).toContain('"markerName":"core_local_activity"');
});

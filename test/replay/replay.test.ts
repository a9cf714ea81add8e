/** Tests that workflows that started under an earlier release continue under this release. No server is needed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils';
import { DefaultLogger, makeTelemetryFilterString, Runtime, Worker } from '@temporalio/worker';
import { readWorkflowBundle } from '../support/workflow-bundle';

const FOLDER = join(__dirname, 'histories');
const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json'))
  .toSorted();

const KINDS = [
  'monitor',
  'scenario',
  'scenario-run',
  'alert',
  'alert-handed-over',
  'alert-fallback',
  'escalation',
  'monitor-depends',
  'digest',
  'test-check',
  'housekeeping',
  'notice',
  'watchdog',
  'rollouts',
];

let bundle: { readonly code: string };

/** Installs a runtime without logs, unless another test file in this worker has installed one. */
function installSilentRuntime(): void {
  if (Runtime._instance !== undefined) return;
  Runtime.install({
    logger: new DefaultLogger('ERROR', () => undefined),
    telemetryOptions: {
      logging: {
        filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }),
        forward: {},
      },
    },
  });
}

beforeAll(async () => {
  installSilentRuntime();
  bundle = await readWorkflowBundle();
});

/** Replays each history with the workflows of the bundle. Returns the error for each file, if any. */
async function replayAll(code: string): Promise<Map<string, unknown>> {
  const histories = files.map((file) => ({
    workflowId: file,
    history: historyFromJSON(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))),
  }));
  const outcomes = new Map<string, unknown>();
  for await (const { workflowId, error } of Worker.runReplayHistories(
    { workflowBundle: { code } },
    histories,
  ))
    outcomes.set(workflowId, error);
  return outcomes;
}

test('every type of workflow has recorded histories', () => {
  for (const kind of KINDS) expect(files.some((file) => file.includes(`/${kind}`))).toBe(true);
});

test('the recordings contain watches that began, ended with a result, or were cancelled', () => {
  const recorded = files
    .filter((file) => file.includes('/monitor-watched'))
    .map((file) => readFileSync(join(FOLDER, file), 'utf8'))
    .join('\n');
  for (const part of [
    '"name":"watchMonitor"',
    '"eventType":"EVENT_TYPE_ACTIVITY_TASK_COMPLETED"',
    '"eventType":"EVENT_TYPE_ACTIVITY_TASK_CANCELED"',
  ])
    expect(recorded).toContain(part);
});

test('every recorded history replays with the current workflows', async () => {
  const outcomes = await replayAll(bundle.code);
  expect(outcomes).toEqual(new Map(files.map((file) => [file, undefined])));
});

test('the replay detects an incompatible change of any workflow', async () => {
  const changed = bundle.code.replaceAll('careless-change: no', 'careless-change: yes');
  const outcomes = await replayAll(changed);
  for (const file of files)
    expect([file, String(outcomes.get(file))]).toEqual([
      file,
      expect.stringContaining('Nondeterminism'),
    ]);
});

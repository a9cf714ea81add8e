/** Tests log lines of the SDK that name only a run. Keepwatch adds the workflow and the reason why its task failed. */
import { createTaskFailures } from '../../src/temporal/runtime/task-failures';

const RUN = '0198c9d2-6d3c-7c53-9a0e-1f2e3d4c5b6a';
const WORKFLOW = { workflowId: 'monitor-mon_1', workflowType: 'monitorWorkflow' };
/** A failure in the format of the SDK's native part. */
const ENCRYPTED =
  'Failure { failure: Some(Failure { message: "Encoded failure", source: "TypeScriptSDK", stack_trace: "", ' +
  'encoded_attributes: Some([YWJj]), cause: None, failure_info: Some(ApplicationFailureInfo(' +
  'ApplicationFailureInfo { r#type: "RangeError", non_retryable: false })) }), force_cause: Unspecified }';
const NATIVE =
  'Failure { failure: Some(Failure { message: "[TMPRL1100] Nondeterminism error: no command \\"a\\"", ' +
  'source: "", stack_trace: "" }), force_cause: NonDeterministicError }';

function failuresOfKeptRun() {
  const failures = createTaskFailures();
  failures.observe('Creating workflow', { runId: RUN, ...WORKFLOW });
  return failures;
}

test('a failed task is logged with its workflow, its run and the error that the workflow threw', () => {
  const failures = failuresOfKeptRun();
  const found = { cause: 'TypeError: x is undefined', at: 'runCheck (bundle.js:1:2)' };
  failures.note(RUN, found);
  expect(failures.describe({ run_id: RUN, failure: ENCRYPTED })).toEqual({
    ...WORKFLOW,
    ...found,
    runId: RUN,
  });
});

test('the cause of a failed task is logged even if it comes before the line that names the workflow', () => {
  const failures = createTaskFailures();
  const found = { cause: 'TypeError: x is undefined', at: null };
  failures.note(RUN, found);
  failures.observe('Creating workflow', { runId: RUN, ...WORKFLOW });
  expect(failures.describe({ run_id: RUN, failure: ENCRYPTED })).toEqual({
    ...WORKFLOW,
    cause: found.cause,
    runId: RUN,
  });
});

test('an error of the native core is logged unchanged, and an encrypted error by its type', () => {
  const failures = failuresOfKeptRun();
  expect(failures.describe({ run_id: RUN, failure: NATIVE })).toMatchObject({
    ...WORKFLOW,
    cause: '[TMPRL1100] Nondeterminism error: no command \\"a\\"',
  });
  expect(failures.describe({ run_id: RUN, failure: ENCRYPTED })).toEqual({
    ...WORKFLOW,
    runId: RUN,
    cause: 'RangeError',
  });
});

test("the failure of a run that is unknown or no longer stored is logged by the run's id alone", () => {
  const failures = failuresOfKeptRun();
  failures.observe('Disposing workflow', { runId: RUN, ...WORKFLOW });
  expect(failures.describe({ run_id: RUN })).toEqual({ runId: RUN });
  expect(failures.describe({ run_id: 'other', failure: '?' })).toEqual({
    runId: 'other',
    cause: 'unknown',
  });
  expect(failures.describe({ taskQueue: 'orchestrator' })).toEqual({});
});

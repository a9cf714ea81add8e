/** Does work on short texts without a worker thread: looks up members and elements of a short body. */
import type { Assertion } from '../contracts/definition';
import { isQuickAssertion } from '../domain/assertions/assertion';
import type { TextJob, TextResult } from './text-task';
import { createWorkbench } from './text-work';

/** A text of this length is parsed and traversed in well under a millisecond. */
const TEXT_LENGTH_MAX = 16 * 1_024;
/** A path that leads one level down with each segment. It has no wildcards, filters or recursive descent. */
const PLAIN_PATH = /^\$(?:\.[A-Za-z_]\w{0,63}|\[\d{1,6}\]){0,20}$/;

/** Does the job and returns the results in order. Returns null for work that a target could make slow. */
export function runShortTasks(job: TextJob): readonly TextResult[] | null {
  const { text, tasks, hidden = [] } = job;
  const isShort = text.length <= TEXT_LENGTH_MAX && hidden.length === 0;
  const areBounded = tasks.every((task) => task.kind === 'assertion' && isBounded(task.assertion));
  if (!isShort || !areBounded) return null;
  try {
    return tasks.map(createWorkbench(job).carryOut);
  } catch {
    // The worker thread repeats the job and reports the tasks that failed.
    return null;
  }
}

function isBounded(assertion: Assertion): boolean {
  if (isQuickAssertion(assertion)) return true;
  const { type, operator } = assertion;
  if (operator === 'matches' || operator === 'notMatches') return false;
  return type === 'jsonPath' && PLAIN_PATH.test(assertion.path);
}

/**
 * Work on the text of a response that is bounded by the length of the text, and so needs no worker thread:
 * members and elements by their names and places in a short body. It knows nothing of time.
 */
import type { Assertion } from '../contracts/definition';
import { isQuickAssertion } from '../domain/assertions/assertion';
import type { TextJob, TextResult } from './text-task';
import { createWorkbench } from './text-work';

/** Parsed and walked through in well under a millisecond. */
const TEXT_LENGTH_MAX = 16 * 1_024;
/** One step down for each segment: no wildcard, filter or descent. */
const PLAIN_PATH = /^\$(?:\.[A-Za-z_]\w{0,63}|\[\d{1,6}\]){0,20}$/;

/** The results in order, or null for what a target could make slow. */
export function carryOutShortWork(job: TextJob): readonly TextResult[] | null {
  const { text, tasks, hidden = [] } = job;
  const isShort = text.length <= TEXT_LENGTH_MAX && hidden.length === 0;
  const areBounded = tasks.every((task) => task.kind === 'assertion' && isBounded(task.assertion));
  if (!isShort || !areBounded) return null;
  try {
    return tasks.map(createWorkbench(job).carryOut);
  } catch {
    // The worker tells which of them could not be carried out.
    return null;
  }
}

function isBounded(assertion: Assertion): boolean {
  if (isQuickAssertion(assertion)) return true;
  const { type, operator } = assertion;
  if (operator === 'matches' || operator === 'notMatches') return false;
  return type === 'jsonPath' && PLAIN_PATH.test(assertion.path);
}

/**
 * When a workflow starts over with a fresh history. Rebuilding one costs about 0.3 ms per event, so
 * short histories keep recovery quick.
 */
import { allHandlersFinished, workflowInfo } from '@temporalio/workflow';
import { hashOf } from '../../domain/definitions/hash-of';

const EVENTS_MAX = 250;
/** Of a run, which ends by itself. */
const LONG_HISTORY_EVENTS = 2_000;

/** Spreads the moment over workflows that were started together. */
const JITTER = 50;

/** True when the history is long enough and no handler is at work. */
export function isTimeToContinue(id: string): boolean {
  const { continueAsNewSuggested, historyLength } = workflowInfo();
  const isLong = continueAsNewSuggested || historyLength >= EVENTS_MAX + (hashOf(id) % JITTER);
  return isLong && allHandlersFinished();
}

/** Beyond this a replay is slow; the server ends a workflow at 50 MiB. */
const HISTORY_BYTES_MAX = 4 * 1024 * 1024;

/** As isTimeToContinue, for a workflow that goes on only between two tries of one step. */
export function isHistoryLarge(): boolean {
  const { continueAsNewSuggested, historySize, historyLength } = workflowInfo();
  const isLarge = historySize >= HISTORY_BYTES_MAX || historyLength >= LONG_HISTORY_EVENTS;
  return (continueAsNewSuggested || isLarge) && allHandlersFinished();
}

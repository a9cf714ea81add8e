/**
 * Handles pauses and resumes that come from Temporal's own tools. They take effect at once and are recorded in the
 * database afterwards.
 */

import { log, proxyActivities } from '@temporalio/workflow';
import type { OperatorChangeOutcome, RecordActivities } from '../../contracts/activities';
import { DATABASE_FAILURES } from '../../contracts/backlog';
import type { ResourceKind } from '../../contracts/definition';
import type { OperatorChange, OperatorChangeRecord } from '../../contracts/records';
import type { PauseNote } from '../../contracts/workflows';
import { cutText } from '../../domain/text/cut-text';
import type { TimeState } from './keep-time';
import {
  local,
  noteRecordOutcome,
  type Recording,
  resumeStoring,
  runInBackground,
  tryOnce,
} from './store-record';

/** Maximum length of a reason in characters. The API has the same limit. */
const REASON_MAX = 500;

const retried = proxyActivities<RecordActivities>({
  startToCloseTimeout: '15 seconds',
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '20 seconds',
    nonRetryableErrorTypes: [DATABASE_FAILURES.refused],
  },
  summary: 'waits for the database',
});

/** The part of a running workflow that this file uses. */
interface Recorded<State extends Recording['state']> extends Recording {
  state: State;
}

/** Returns the state with a change that must be recorded. A later change replaces an earlier one. */
export function withOperatorChange<State extends TimeState>(
  state: State,
  change: Omit<OperatorChange, 'reason'> & { readonly note: PauseNote | undefined | null },
): State {
  const { paused, atMs, note } = change;
  return { ...state, operatorChange: { paused, atMs, reason: paused ? formatReason(note) : null } };
}

/**
 * Records the change by an operator. Returns true if this was tried. While the database is unavailable, nothing is
 * tried, and the latest change is recorded later. If the database refuses the record, the change stays in force.
 */
export async function recordOperatorChange<State extends TimeState>(
  context: Recorded<State>,
  kind: ResourceKind,
): Promise<boolean> {
  const { operatorChange: change, config } = context.state;
  if (change === null || context.isWaiting) return false;
  const { accountId, id, version } = config;
  const record: OperatorChangeRecord = { accountId, kind, id, version, change };
  const tried = await tryOnce(() => local.saveOperatorChange(record));
  if (tried.kind === 'stored') noteRecorded(context, record, tried.result);
  else if (tried.kind === 'away') runInBackground(() => recordLater(context, record));
  else noteRefused(context, record);
  return true;
}

/** Retries until the change is recorded. Other records that wait for the database are stored afterwards. */
async function recordLater<State extends TimeState>(
  context: Recorded<State>,
  record: OperatorChangeRecord,
): Promise<void> {
  context.isWaiting = true;
  const tried = await tryOnce(() => retried.saveOperatorChange(record));
  context.isWaiting = false;
  context.woken = true;
  if (tried.kind === 'stored') noteRecorded(context, record, tried.result);
  else noteRefused(context, record);
  resumeStoring(context);
}

function noteRecorded<State extends TimeState>(
  context: Recorded<State>,
  record: OperatorChangeRecord,
  outcome: OperatorChangeOutcome,
): void {
  forget(context, record);
  noteVersion(context, record.version, outcome.version);
  noteRecordOutcome(context, outcome);
}

function noteRefused<State extends TimeState>(
  context: Recorded<State>,
  record: OperatorChangeRecord,
): void {
  log.warn('the database refuses to record a change by an operator; the change stays in force');
  forget(context, record);
}

/**
 * Removes the recorded change from the state. If there is a later change by now, keeps it, because it is not recorded
 * yet.
 */
function forget<State extends TimeState>(
  context: Recorded<State>,
  { change }: OperatorChangeRecord,
): void {
  if (context.state.operatorChange?.atMs !== change.atMs) return;
  context.state = { ...context.state, operatorChange: null };
}

/** Sets the saved version in the current configuration. Does nothing if a newer configuration has arrived. */
function noteVersion<State extends TimeState>(
  context: Recorded<State>,
  recorded: number,
  saved: number | null,
): void {
  const { state } = context;
  if (saved === null || state.config.version !== recorded) return;
  context.state = { ...state, config: { ...state.config, version: saved } };
}

function formatReason(note: PauseNote | undefined | null): string | null {
  const { by = '', reason = '' } = note ?? {};
  const said = by === '' ? reason : `${reason} (${by})`.trim();
  return said === '' ? null : cutText(said, REASON_MAX);
}

/**
 * Pauses and resumes that operators send from the engine's own tools: taken over at once, and told
 * to the database afterwards. Changes through the API never come this way.
 */
import { log, proxyActivities } from '@temporalio/workflow';
import type { HubActivities, OperatorChangeAnswer } from '../../contracts/activities';
import { DATABASE_FAILURES } from '../../contracts/backlog';
import type { ResourceKind } from '../../contracts/definition';
import type { OperatorChange, OperatorChangeRecord } from '../../contracts/records';
import type { PauseNote } from '../../contracts/workflows';
import type { TimeState } from './keep-time';
import {
  inBackground,
  local,
  noteAnswer,
  resumeSettling,
  type Settling,
  tryOnce,
} from './store-record';

/** As many characters as the API takes. */
const REASON_MAX = 500;

const patient = proxyActivities<HubActivities>({
  startToCloseTimeout: '15 seconds',
  retry: {
    initialInterval: '1 second',
    backoffCoefficient: 2,
    maximumInterval: '20 seconds',
    nonRetryableErrorTypes: [DATABASE_FAILURES.refused],
  },
  summary: 'waits for the database',
});

/** What a running workflow holds, as far as it matters here. */
interface Told<State extends Settling['state']> extends Settling {
  state: State;
}

/** The state with the change to be told; a later one takes the place of an earlier one. */
export function withOperatorChange<State extends TimeState>(
  state: State,
  change: Omit<OperatorChange, 'reason'> & { readonly note: PauseNote | undefined | null },
): State {
  const { paused, atMs, note } = change;
  return { ...state, operatorChange: { paused, atMs, reason: paused ? reasonOf(note) : null } };
}

/**
 * True when it was tried to tell something. While the database is known to be away nothing is; only
 * what was done last is told then. What the database refuses is told to nobody, but stays in force.
 */
export async function tellOperatorChange<State extends TimeState>(
  keeper: Told<State>,
  kind: ResourceKind,
): Promise<boolean> {
  const { operatorChange: change, config } = keeper.state;
  if (change === null || keeper.isWaiting) return false;
  const { accountId, id, version } = config;
  const record: OperatorChangeRecord = { accountId, kind, id, version, change };
  const tried = await tryOnce(() => local.saveOperatorChange(record));
  if (tried.kind === 'stored') noteTold(keeper, record, tried.answer);
  else if (tried.kind === 'away') inBackground(() => tellLater(keeper, record));
  else noteRefused(keeper, record);
  return true;
}

/** Settlements wait with it; they are handed over after it. */
async function tellLater<State extends TimeState>(
  keeper: Told<State>,
  record: OperatorChangeRecord,
): Promise<void> {
  keeper.isWaiting = true;
  const tried = await tryOnce(() => patient.saveOperatorChange(record));
  keeper.isWaiting = false;
  keeper.woken = true;
  if (tried.kind === 'stored') noteTold(keeper, record, tried.answer);
  else noteRefused(keeper, record);
  resumeSettling(keeper);
}

function noteTold<State extends TimeState>(
  keeper: Told<State>,
  record: OperatorChangeRecord,
  answer: OperatorChangeAnswer,
): void {
  forget(keeper, record);
  noteVersion(keeper, record.version, answer.version);
  noteAnswer(keeper, answer);
}

function noteRefused<State extends TimeState>(
  keeper: Told<State>,
  record: OperatorChangeRecord,
): void {
  log.warn('the database refuses what an operator did; it is in force all the same');
  forget(keeper, record);
}

/** A later change is not told yet. */
function forget<State extends TimeState>(
  keeper: Told<State>,
  { change }: OperatorChangeRecord,
): void {
  if (keeper.state.operatorChange?.atMs !== change.atMs) return;
  keeper.state = { ...keeper.state, operatorChange: null };
}

/** The configuration in force is the saved one from now on, unless a newer one has come. */
function noteVersion<State extends TimeState>(
  keeper: Told<State>,
  told: number,
  saved: number | null,
): void {
  const { state } = keeper;
  if (saved === null || state.config.version !== told) return;
  keeper.state = { ...state, config: { ...state.config, version: saved } };
}

function reasonOf(note: PauseNote | undefined | null): string | null {
  const { by = '', reason = '' } = note ?? {};
  const said = by === '' ? reason : `${reason} (${by})`.trim();
  return said === '' ? null : said.slice(0, REASON_MAX);
}

/**
 * Defers the alert of a new failure until the resource's dependencies have reported. The checks of the resource
 * continue.
 */
import { ActivityFailure, condition, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { AlertHold, AlertState } from '../../contracts/alerts';
import {
  type DependencyActivities,
  type HealthReport,
  HOLD_MS,
} from '../../contracts/dependencies';
import type { DueAlert } from '../../domain/alerting/alert-policy';
import {
  createPendingReport,
  judgeReports,
  releaseHeld,
  withExplanation,
} from '../../domain/alerting/held-alerts';
import { isMutedAt } from '../../domain/health/maintenance';
import { isResting, type TimeState } from './keep-time';
import { local, type Recording, runInBackground, tryOnce } from './store-record';

/** Interval between two requests for health while some dependencies have not responded. */
const ASK_AGAIN_MS = 2_000;
const ASKING_MS = 15_000;

export interface Holding extends Recording {
  state: Recording['state'] & TimeState & { readonly alerts: AlertState };
  /**
   * True while the dependencies are being asked about their health. The workflow must not continue as new during that
   * time.
   */
  isAsking: boolean;
}

interface Failed<Finding> {
  readonly finding: Finding;
  /** When the failed check began. */
  readonly beganAtMs: number;
  readonly isMuted: boolean;
  readonly send: (due: DueAlert, finding: Finding) => Promise<void>;
}

/** Asks the dependencies in the background. Within a minute, the failure is explained or the alert is sent. */
export function askInBackground<Finding>(context: Holding, failed: Failed<Finding>): void {
  if (context.isAsking) return;
  context.isAsking = true;
  runInBackground(async () => {
    await decide(context, failed);
    context.isAsking = false;
    context.woken = true;
  });
}

async function decide<Finding>(context: Holding, failed: Failed<Finding>): Promise<void> {
  const { beganAtMs } = failed;
  const failedAtMs = Date.now();
  const endMs = failedAtMs + HOLD_MS;
  const first = context.state.alerts.hold;
  if (first === null) return;
  const isOver = (): boolean => !isHeldStill(context, first);
  const isExplained = first.explainedBy !== null;
  const { id } = context.state.config;
  for (;;) {
    const reports = await ask(context, { sinceMs: failedAtMs, wantsCheck: !isExplained, endMs });
    if (isOver()) return;
    const judged = judgeReports({ id, failedAtMs, beganAtMs, isExplained }, reports);
    if (judged.kind === 'next') return;
    if (judged.kind === 'explained') return explain(context, first, judged.by);
    if (judged.kind === 'own' || Date.now() >= endMs) return release(context, failed);
    await condition(isOver, Math.max(1, Math.min(ASK_AGAIN_MS, endMs - Date.now())), {
      summary: 'asks again what it depends on',
    });
    if (isOver()) return;
  }
}

/** Returns true if the incident is still open and its alert is still deferred. */
function isHeldStill({ removed, state }: Holding, { incidentId }: AlertHold): boolean {
  const { hold, incident } = state.alerts;
  return !removed && hold?.incidentId === incidentId && incident?.id === incidentId;
}

interface Question {
  readonly sinceMs: number;
  readonly wantsCheck: boolean;
  readonly endMs: number;
}

/** Asks the dependencies for their health. If they cannot be asked, all of them count as pending. */
async function ask(
  { state: { config } }: Holding,
  { sinceMs, wantsCheck, endMs }: Question,
): Promise<readonly HealthReport[]> {
  const { accountId, id: askerId, dependsOn: ids } = config;
  const { askDependencies } = proxyActivities<DependencyActivities>({
    scheduleToCloseTimeout: Math.max(1_000, Math.min(ASKING_MS, endMs - Date.now())),
    retry: { maximumAttempts: 1 },
    summary: 'asks what it depends on',
  });
  try {
    return await askDependencies({ accountId, askerId, ids, sinceMs, wantsCheck });
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    return ids.map(createPendingReport);
  }
}

async function explain(context: Holding, before: AlertHold, by: HealthReport): Promise<void> {
  if (before.explainedBy?.id === by.id) return;
  const { kind, id, name, incidentId } = by;
  const explanation = { kind, id, name, incidentId, atMs: Date.now(), untilMs: null };
  const alerts = withExplanation(context.state.alerts, explanation);
  context.state = { ...context.state, alerts };
  await saveDecisions(context);
}

/**
 * Ends the hold, and sends the alerts that are due. Nothing is sent while the checks are paused by people or by
 * maintenance.
 */
async function release<Finding>(
  context: Holding,
  { finding, isMuted, send }: Failed<Finding>,
): Promise<void> {
  const { state } = context;
  const { config, health } = state;
  if (config.paused || isResting(state)) {
    context.state = { ...state, alerts: { ...state.alerts, hold: null } };
    return;
  }
  const atMs = Date.now();
  const slot = {
    atMs,
    health: health.health,
    healthSinceMs: health.sinceMs,
    opening: { id: '', cause: null, regions: [], firstRunId: null },
    isMuted: isMuted || isMutedAt(state.maintenance, atMs),
  };
  const verdict = releaseHeld(state.alerts, slot, config.alerts);
  context.state = { ...state, alerts: verdict.state };
  for (const due of verdict.due) await send(due, finding);
  await saveDecisions(context);
}

/** Stores the decisions with one attempt. If that fails, they are stored with the next slot. */
async function saveDecisions(context: Holding): Promise<void> {
  const { alerts, config } = context.state;
  const { incident } = alerts;
  if (incident === null) return;
  const record = { accountId: config.accountId, incident };
  const tried = context.isWaiting ? null : await tryOnce(() => local.saveDecisions(record));
  if (tried?.kind === 'stored' && tried.result) return;
  noteUnsaved(context);
}

/** Ensures that the incident is stored with the next slot. */
export function noteUnsaved(context: Holding): void {
  context.state = { ...context.state, alerts: { ...context.state.alerts, isUnsaved: true } };
}

/**
 * Reports the health of this resource to the resources that depend on it, based on a check that began after they asked.
 * Resources that ask at the same time share one check.
 */
import { HandlerUnfinishedPolicy } from '@temporalio/common';
import { condition, defineUpdate, setHandler } from '@temporalio/workflow';
import type { AlertState } from '../../contracts/alerts';
import type { ResourceKind } from '../../contracts/definition';
import {
  DOWN_HOLDS_MS,
  HEALTH_UPDATE,
  type HealthQuestion,
  type HealthReport,
  HOLD_MS,
} from '../../contracts/dependencies';
import { isInMaintenance, isResting, type TimeState } from './keep-time';

export interface KnownChecks {
  /** When the newest check began. null if there was no check yet. */
  newestMs: number | null;
  /** When the first of the latest passing checks began. null if the last check failed. */
  okSinceMs: number | null;
  /** Dependent resources wait for a check that begins after this time. null if none of them waits. */
  wantedSinceMs: number | null;
}

export interface Reporting {
  state: TimeState & { readonly alerts: AlertState };
  removed: boolean;
  woken: boolean;
  readonly checks: KnownChecks;
}

export function createKnownChecks(): KnownChecks {
  return { newestMs: null, okSinceMs: null, wantedSinceMs: null };
}

interface Reporter {
  readonly kind: ResourceKind;
  /** False if nothing can be checked on request. Reports then contain the last known health. */
  readonly canCheck: boolean;
}

/**
 * Registers the handler of health questions from dependent resources. Must be called before the first await of the
 * workflow.
 */
export function handleHealthQuestions(context: Reporting, { kind, canCheck }: Reporter): void {
  setHandler(
    defineUpdate<HealthReport, [HealthQuestion]>(HEALTH_UPDATE),
    async (question) => {
      const { checks } = context;
      const isDone = (): boolean => context.removed || isFresh(context, question);
      if (canCheck && question.wantsCheck && !isDone()) {
        checks.wantedSinceMs = Math.max(question.sinceMs, checks.wantedSinceMs ?? 0);
        context.woken = true;
        await condition(isDone, HOLD_MS);
      }
      return buildReport(context, kind, canCheck ? checks.newestMs : null);
    },
    {
      unfinishedPolicy: HandlerUnfinishedPolicy.ABANDON,
      validator: (question) => {
        if (!Number.isFinite(question.sinceMs)) throw new Error('sinceMs must be a number');
        if (question.accountId !== context.state.config.accountId)
          throw new Error('the asking resource belongs to another account');
      },
    },
  );
}

/**
 * Returns true if dependent resources wait for a check that has not been made on schedule since. Clears the request.
 */
export function takeWantedCheck({ checks, state }: Reporting): boolean {
  const { wantedSinceMs, newestMs } = checks;
  if (wantedSinceMs === null) return false;
  checks.wantedSinceMs = null;
  return (newestMs ?? 0) < wantedSinceMs && !isAbsent(state);
}

/** Notes a check. Must be called after the resulting health and incident are known. */
export function noteCheck({ checks, state: { health } }: Reporting, beganAtMs: number): void {
  checks.newestMs = Math.max(beganAtMs, checks.newestMs ?? 0);
  checks.okSinceMs = health.failures > 0 ? null : (checks.okSinceMs ?? beganAtMs);
}

function isFresh({ state, checks }: Reporting, { sinceMs }: HealthQuestion): boolean {
  if (isAbsent(state)) return true;
  const newestMs = checks.newestMs ?? 0;
  const enoughMs = findStanding(state, Date.now()) === 'down' ? sinceMs - DOWN_HOLDS_MS : sinceMs;
  return newestMs >= enoughMs;
}

/** Returns true while a pause or maintenance forbids checks. */
function isAbsent(state: TimeState): boolean {
  return state.config.paused || isResting(state);
}

function buildReport(
  { state, checks, removed }: Reporting,
  kind: ResourceKind,
  checkedAtMs: number | null,
): HealthReport {
  const { config, alerts, health } = state;
  const { id, name } = config;
  const by = alerts.hold?.explainedBy ?? null;
  const standing = removed ? 'gone' : findStanding(state, Date.now());
  const okSinceMs = standing === 'up' ? (checks.okSinceMs ?? health.sinceMs) : null;
  const incidentId = alerts.incident?.id ?? null;
  const explainedBy = by === null ? [] : [by.id];
  return { kind, id, name, standing, checkedAtMs, okSinceMs, incidentId, explainedBy };
}

/** Returns the health for dependent resources. For them, one failed check is enough to count as down. */
function findStanding(state: TimeState, nowMs: number): HealthReport['standing'] {
  const { config, health } = state;
  if (config.paused) return 'paused';
  if (isInMaintenance(state, nowMs)) return 'maintenance';
  if (health.health === 'unknown' || health.health === 'pending') return 'unknown';
  return health.health === 'down' || health.failures > 0 ? 'down' : 'up';
}

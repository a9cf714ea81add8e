/**
 * Decides about failures of resources with dependencies. The alert waits until the dependencies have reported. If a
 * dependency is down, it explains the failure. Otherwise the alert is sent. Pure.
 */
import type { AlertRules, AlertState } from '../../contracts/alerts';
import { DOWN_HOLDS_MS, type HealthReport } from '../../contracts/dependencies';
import type { AlertDecision, ExplainedBy, IncidentRecord } from '../../contracts/records';
import { findReason, withDecision } from './alert-decision';
import { type AlertSlot, type AlertVerdict, nextAlerts } from './alert-policy';

export interface HeldVerdict extends AlertVerdict {
  /** True means that the health of the dependencies must now be requested. */
  readonly mustAsk: boolean;
}

/**
 * Like nextAlerts, but adds the reason of the decision to the incident. `changed` is set even if only the reason is
 * new.
 */
export function nextHeldAlerts(
  before: AlertState,
  slot: AlertSlot,
  { rules, dependsOn }: { readonly rules: AlertRules; readonly dependsOn: readonly string[] },
): HeldVerdict {
  const plain = nextAlerts(before, slot, rules);
  const begins =
    slot.health === 'down' &&
    plain.due.some(
      ({ kind, flapping, staysDown }) =>
        kind === 'failure' || flapping?.isAgain === false || staysDown === true,
    );
  const mustAsk = dependsOn.length > 0 && begins;
  // If no one was notified of an incident, its end does not count as a change for flapping, either.
  const hasNotifiedNobody = before.hold !== null && plain.state.incident === null;
  const isHeld = mustAsk || hasNotifiedNobody;
  const verdict = isHeld ? nextAlerts(before, { ...slot, isHeld }, rules) : plain;
  const { incident } = verdict.state;
  const held =
    mustAsk && incident !== null && verdict.state.hold === null
      ? { incidentId: incident.id, slotMs: slot.atMs, explainedBy: null }
      : verdict.state.hold;
  const hold = begins && !mustAsk ? null : held;
  const state = { ...verdict.state, hold };
  return { ...withReason({ ...verdict, state }, slot, rules), mustAsk };
}

/** Sends the alert that was waiting, if the incident still requires it. */
export function releaseHeld(state: AlertState, slot: AlertSlot, rules: AlertRules): AlertVerdict {
  const { hold, changesMs } = state;
  if (hold === null) return { state, changed: null, due: [] };
  const counted = [...changesMs, hold.slotMs].toSorted((a, b) => a - b).slice(-4);
  const released = withExplanationOver({ ...state, hold: null, changesMs: counted }, slot.atMs);
  return withReason(nextAlerts(released, slot, rules), slot, rules);
}

/** Notes that the dependency explains the incident whose alert is waiting. */
export function withExplanation(state: AlertState, by: ExplainedBy): AlertState {
  const { hold, incident } = state;
  if (hold === null || incident === null) return state;
  const explained = withDecision(
    { ...incident, explainedBy: by },
    { atMs: by.atMs, reason: 'dependency' },
  );
  return { ...state, hold: { ...hold, explainedBy: by }, incident: explained };
}

function withExplanationOver(state: AlertState, atMs: number): AlertState {
  const { incident } = state;
  const by = incident?.explainedBy;
  if (incident === null || by === undefined || by.untilMs !== null) return state;
  return { ...state, incident: { ...incident, explainedBy: { ...by, untilMs: atMs } } };
}

function withReason(verdict: AlertVerdict, slot: AlertSlot, rules: AlertRules): AlertVerdict {
  const reason = findReason(verdict, slot, rules);
  const about = verdict.changed ?? verdict.state.incident;
  if (reason === null || about === null) return verdict;
  const atMs = Math.max(slot.atMs, about.decisions?.at(-1)?.atMs ?? slot.atMs);
  const decided = withDecision(about, { atMs, reason } satisfies AlertDecision);
  if (decided === about) return verdict;
  const { state } = verdict;
  const incident: IncidentRecord | null =
    state.incident?.id === decided.id ? decided : state.incident;
  return { ...verdict, state: { ...state, incident }, changed: decided };
}

/** Returns the report that is used for a resource that has not responded. */
export function createPendingReport(id: string): HealthReport {
  return {
    kind: id.startsWith('scn_') ? 'scenario' : 'monitor',
    id,
    name: id,
    standing: 'pending',
    checkedAtMs: null,
    okSinceMs: null,
    incidentId: null,
    explainedBy: [],
  };
}

/** What the reports say about a failure whose alert is waiting. */
export type Judgement =
  | { readonly kind: 'explained'; readonly by: HealthReport }
  /** No dependency explains the failure. */
  | { readonly kind: 'own' }
  /** Some dependencies have not responded. */
  | { readonly kind: 'wait' }
  /** A dependency has recovered since the failed check began, so the next slot decides. */
  | { readonly kind: 'next' };

export interface HeldFailure {
  readonly id: string;
  /** When the failure was detected. */
  readonly failedAtMs: number;
  /** When the failed check began. */
  readonly beganAtMs: number;
  readonly isExplained: boolean;
}

/**
 * Judges the reports. A dependency that is down explains the failure, unless this resource itself explains the failure
 * of that dependency.
 */
export function judgeReports(
  { id, failedAtMs, beganAtMs, isExplained }: HeldFailure,
  reports: readonly HealthReport[],
): Judgement {
  const by = reports.find(
    ({ standing, checkedAtMs, explainedBy }) =>
      standing === 'down' &&
      !explainedBy.includes(id) &&
      (isExplained || checkedAtMs === null || checkedAtMs >= failedAtMs - DOWN_HOLDS_MS),
  );
  if (by !== undefined) return { kind: 'explained', by };
  if (reports.some(({ standing }) => standing === 'pending')) return { kind: 'wait' };
  const isNew = reports.some(
    ({ standing, okSinceMs }) => standing === 'up' && okSinceMs !== null && okSinceMs > beganAtMs,
  );
  return isExplained && isNew ? { kind: 'next' } : { kind: 'own' };
}

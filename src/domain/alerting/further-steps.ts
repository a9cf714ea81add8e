/**
 * Adds steps to an escalation that is under way, because the failure affects more checks than before. Pure. Whoever is
 * part of the plan already is not notified a second time.
 */
import type { EscalationPlan, EscalationState, EscalationStep } from '../../contracts/escalation';
import { listMoments, type Moment } from './escalation';

const MINUTE_MS = 60_000;

/**
 * Idempotent: steps with a known key are ignored. The minutes of a further step count from now on. A contact is left
 * out if another group of steps notifies it at the same time or earlier. The part of a key before `/` names the group.
 */
export function withFurtherSteps(
  state: EscalationState,
  { steps, policyName, lastResort }: EscalationPlan,
  nowMs: number,
): EscalationState {
  const { plan } = state;
  const known = new Set(plan.steps.flatMap(({ key }) => key ?? []));
  const added = steps.filter(({ key = '' }) => !known.has(key)).toSorted(byPrecedence);
  const all = [...plan.steps];
  for (const step of added) {
    const afterMinutes = step.afterMinutes + passedMinutes(state, step, nowMs);
    const further = withoutNotified({ ...step, afterMinutes }, all);
    if (further.contacts.length > 0) all.push(further);
  }
  if (all.length === plan.steps.length) return state;
  return {
    ...renumbered(state, all),
    plan: { ...plan, steps: all, policyName, lastResort: plan.lastResort ?? lastResort },
  };
}

/** If several steps have the same contact at the same time, the one that repeats more often keeps it. */
function byPrecedence(one: EscalationStep, other: EscalationStep): number {
  const repeats = ({ repeat }: EscalationStep): number => repeat?.times ?? 0;
  return one.afterMinutes - other.afterMinutes || repeats(other) - repeats(one);
}

function groupOf({ key = '' }: EscalationStep): string {
  return key.split('/')[0] ?? '';
}

function withoutNotified(step: EscalationStep, all: readonly EscalationStep[]): EscalationStep {
  const others = all.filter(
    (one) => groupOf(one) !== groupOf(step) && one.afterMinutes <= step.afterMinutes,
  );
  const named = new Set(others.flatMap(({ contacts }) => contacts.map(({ id }) => id)));
  return { ...step, contacts: step.contacts.filter(({ id }) => !named.has(id)) };
}

/** The counted time of the escalation so far. 0 before its first notification. */
function passedMinutes(
  { startedAtMs, held, lastStep }: EscalationState,
  { until }: EscalationStep,
  nowMs: number,
): number {
  if (lastStep === null) return 0;
  const { totalMs, sinceMs } = held[until];
  return Math.max(0, Math.floor(((sinceMs ?? nowMs) - startedAtMs - totalMs) / MINUTE_MS));
}

/** Moments are numbered by their time, so further steps change the numbers of moments that were handled. */
function renumbered(state: EscalationState, steps: readonly EscalationStep[]): EscalationState {
  const idOf = ({ step, round }: Moment): string => `${step} ${round}`;
  const after = new Map(listMoments(steps).map((moment) => [idOf(moment), moment.number]));
  const moved = new Map(
    listMoments(state.plan.steps).map((moment) => [moment.number, after.get(idOf(moment))]),
  );
  const renumber = (numbers: readonly number[]): readonly number[] =>
    numbers.flatMap((number) => moved.get(number) ?? []);
  return {
    ...state,
    done: renumber(state.done),
    events: (state.events ?? []).map((event) =>
      event.kind === 'notified' ? { ...event, numbers: renumber(event.numbers) } : event,
    ),
  };
}

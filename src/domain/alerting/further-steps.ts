/**
 * Adds steps to a running escalation, because the failure affects more checks. Contacts of the running escalation are
 * not notified twice. Pure.
 */
import type { EscalationPlan, EscalationState, EscalationStep } from '../../contracts/escalation';
import { listMoments, type Moment } from './escalation';

const MINUTE_MS = 60_000;

/**
 * Adds the steps. Steps with a known key are ignored, so adding twice is safe. The minutes of new steps count from now.
 * A contact is left out of a new step if another policy notifies the contact at the same time or earlier, and at the
 * same hours or at any hour.
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
    // A step that had no contacts is kept, because it notifies the last resort.
    if (further.contacts.length > 0 || step.contacts.length === 0) all.push(further);
  }
  if (all.length === plan.steps.length) return state;
  return {
    ...renumberDone(state, all),
    plan: { ...plan, steps: all, policyName, lastResort: plan.lastResort ?? lastResort },
  };
}

/**
 * Sorts steps by time. Of simultaneous steps, the steps that never wait come first. After them, steps that repeat more
 * often come first. If several steps have the same contact, the first of these steps keeps the contact.
 */
function byPrecedence(one: EscalationStep, other: EscalationStep): number {
  const repeats = ({ repeat }: EscalationStep): number => repeat?.times ?? 0;
  const waits = (step: EscalationStep): number => (describeWaiting(step) === NEVER ? 0 : 1);
  return (
    one.afterMinutes - other.afterMinutes ||
    waits(one) - waits(other) ||
    repeats(other) - repeats(one)
  );
}

/** Describes as text when a step has to wait. Two steps that wait at the same times get the same text. */
function describeWaiting({ quietHours, hours }: Partial<EscalationStep>): string {
  return JSON.stringify([quietHours ?? null, hours ?? null]);
}

const NEVER = describeWaiting({});

function readGroup({ key = '' }: EscalationStep): string {
  return key.split('/')[0] ?? '';
}

function withoutNotified(step: EscalationStep, all: readonly EscalationStep[]): EscalationStep {
  const own = describeWaiting(step);
  const others = all.filter(
    (one) =>
      readGroup(one) !== readGroup(step) &&
      one.afterMinutes <= step.afterMinutes &&
      [NEVER, own].includes(describeWaiting(one)),
  );
  const named = new Set(others.flatMap(({ contacts }) => contacts.map(({ id }) => id)));
  return { ...step, contacts: step.contacts.filter(({ id }) => !named.has(id)) };
}

/**
 * Returns how many minutes of the escalation count for this step. Time after a response does not count. 0 before the
 * first notification.
 */
function passedMinutes(
  { startedAtMs, held, lastStep }: EscalationState,
  { until }: EscalationStep,
  nowMs: number,
): number {
  if (lastStep === null) return 0;
  const { totalMs, sinceMs } = held[until];
  return Math.max(0, Math.floor(((sinceMs ?? nowMs) - startedAtMs - totalMs) / MINUTE_MS));
}

/** Renumbers the moments that are done. Moments are numbered in the order of time, so new steps change the numbers. */
function renumberDone(state: EscalationState, steps: readonly EscalationStep[]): EscalationState {
  const formatId = ({ step, round }: Moment): string => `${step} ${round}`;
  const after = new Map(listMoments(steps).map((moment) => [formatId(moment), moment.number]));
  const moved = new Map(
    listMoments(state.plan.steps).map((moment) => [moment.number, after.get(formatId(moment))]),
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

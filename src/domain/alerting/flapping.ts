/**
 * Flapping: a resource goes up and down too often to send an alert each time. One notice is sent, and repeated while
 * the flapping continues. If the resource stays down, people are notified again. Pure.
 */
import type { AlertRules, AlertState, Flapping } from '../../contracts/alerts';

/** How many changes within `FLAPPING_MS` count as flapping. */
const FLAPPING_CHANGES = 4;
export const FLAPPING_MS = 30 * 60_000;
/** An outage that is longer than this is not part of flapping. */
export const STAYS_DOWN_MS = 5 * 60_000;
/** The minimum time between two notifications of long outages of a flapping resource. */
const STAYS_DOWN_AGAIN_MS = 15 * 60_000;
/** How often a notice about flapping is repeated if the rules have no reminders. */
const AGAIN_MS = 60 * 60_000;

export interface Change {
  readonly atMs: number;
  /** True means that the resource went down, became degraded or recovered, and that people may be notified. */
  readonly hasChanged: boolean;
  /** True means that the resource went down, and that people may be notified. */
  readonly hasFailed: boolean;
}

type Noted = Pick<AlertState, 'changesMs' | 'flappingSinceMs' | 'outagesMs' | 'flapping'>;

/** Records a change, and starts or ends a period of flapping. `isNew` is true if the period starts with this change. */
export function noteChanges(
  state: AlertState,
  { atMs, hasChanged, hasFailed }: Change,
): { readonly state: Noted; readonly isNew: boolean } {
  const isLately = (changedMs: number): boolean => changedMs > atMs - FLAPPING_MS;
  const note = (times: readonly number[], isMore: boolean): readonly number[] => {
    const lately = times.filter(isLately);
    return isMore ? [...lately, atMs].slice(-FLAPPING_CHANGES) : lately;
  };
  const changesMs = note(state.changesMs, hasChanged);
  const outagesMs = note(state.outagesMs ?? [], hasFailed);
  const { flappingSinceMs } = state;
  const isFlapping =
    flappingSinceMs === null ? changesMs.length >= FLAPPING_CHANGES : changesMs.length > 0;
  if (!isFlapping)
    return { state: { changesMs, outagesMs, flappingSinceMs: null, flapping: null }, isNew: false };
  if (flappingSinceMs === null) {
    const flapping = begin(outagesMs, atMs);
    return { state: { changesMs, outagesMs, flappingSinceMs: atMs, flapping }, isNew: true };
  }
  const before = state.flapping ?? begin([], flappingSinceMs);
  const flapping: Flapping = {
    ...before,
    outages: before.outages + (hasFailed ? 1 : 0),
    silence: state.silence ?? before.silence,
  };
  return { state: { changesMs, outagesMs, flappingSinceMs, flapping }, isNew: false };
}

function begin(outagesMs: readonly number[], atMs: number): Flapping {
  return {
    outages: outagesMs.length,
    sinceMs: outagesMs[0] ?? atMs,
    notifiedAtMs: atMs,
    stayedDown: null,
    silence: null,
  };
}

/**
 * News about a resource that is flapping and down:
 * - `stays_down`: the resource stays down.
 * - `reminder`: the resource is still down.
 * - `again`: the resource is still flapping.
 *
 * An acknowledgement of an earlier outage stops the repetitions. A snooze stops all news.
 */
export type FlappingNews = 'stays_down' | 'reminder' | 'again';

export function findFlappingNews(
  { flapping, incident, isReminderDue }: AlertState,
  atMs: number,
  rules: AlertRules,
): FlappingNews | null {
  if (flapping == null || incident === null) return null;
  const { silence, stayedDown, notifiedAtMs } = flapping;
  if ((silence?.snoozedUntilMs ?? 0) > atMs) return null;
  if (stayedDown?.incidentId === incident.id) return 'reminder';
  const isLong = atMs - incident.openedAtMs >= STAYS_DOWN_MS;
  const isRecent = stayedDown !== null && atMs - stayedDown.atMs < STAYS_DOWN_AGAIN_MS;
  if (isReminderDue || (isLong && !isRecent)) return 'stays_down';
  const everyMs = silence?.isAcknowledged === true ? null : readRepetition(rules);
  return everyMs !== null && atMs >= notifiedAtMs + everyMs ? 'again' : null;
}

/** Returns how often a notice about flapping is repeated. null if a policy does this. */
function readRepetition({ remindEveryMinutes, policy = null }: AlertRules): number | null {
  if (policy !== null) return null;
  if (remindEveryMinutes === null) return AGAIN_MS;
  return Math.max(remindEveryMinutes * 60_000, FLAPPING_MS);
}

/** Returns when a notification about flapping may become due without a change of the health. null means never. */
export function nextFlappingNewsMs(state: AlertState, rules: AlertRules): number | null {
  const { flapping, incident, remindedAtMs } = state;
  if (flapping == null || incident === null) return null;
  const { stayedDown, notifiedAtMs } = flapping;
  const everyMs = rules.remindEveryMinutes === null ? null : rules.remindEveryMinutes * 60_000;
  if (stayedDown?.incidentId === incident.id)
    return everyMs === null ? null : (remindedAtMs ?? stayedDown.atMs) + everyMs;
  const againFromMs = stayedDown === null ? 0 : stayedDown.atMs + STAYS_DOWN_AGAIN_MS;
  const longMs = Math.max(incident.openedAtMs + STAYS_DOWN_MS, againFromMs);
  const snoozedMs = flapping.silence?.snoozedUntilMs ?? 0;
  const repeatMs = flapping.silence?.isAcknowledged === true ? null : readRepetition(rules);
  const againMs = repeatMs === null ? longMs : notifiedAtMs + repeatMs;
  return Math.max(Math.min(longMs, againMs), snoozedMs);
}

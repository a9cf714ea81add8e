/**
 * What people are owed after a slot: an incident that opens or closes, and the alerts that go with it.
 * A pure reducer over the health; it knows no channel and sends nothing.
 */
import type { AlertKind, AlertRules, AlertState, IncidentRecord } from '../contracts/alerts';
import type { Health } from '../contracts/records';
import { isAnswering } from './health';

/** So many changes within the time are flapping. */
const FLAPPING_CHANGES = 4;
export const FLAPPING_MS = 30 * 60_000;

export const QUIET_ALERTS: AlertState = {
  incident: null,
  told: 'well',
  remindedAtMs: null,
  changesMs: [],
  flappingSinceMs: null,
  unsaid: null,
};

/** A slot after its health is known. */
export interface AlertSlot {
  readonly atMs: number;
  readonly health: Health;
  readonly healthSinceMs: number;
  /** What an incident that opens now begins with. */
  readonly opening: Omit<IncidentRecord, 'openedAtMs' | 'closedAtMs'>;
  /** True: measure, but send nothing (maintenance, or a run that must not page). */
  readonly isMuted: boolean;
}

export interface AlertVerdict {
  readonly state: AlertState;
  /** The incident that this slot opened or closed, as it is now; null when it did neither. */
  readonly changed: IncidentRecord | null;
  /** In the order in which they are to be sent; each belongs to `about`. */
  readonly owed: readonly Exclude<AlertKind, 'digest' | 'test'>[];
  readonly about: IncidentRecord | null;
}

type Rules = Omit<AlertRules, 'targets' | 'channels'>;

/**
 * The same slot again, or one without news, owes nothing. Alerts of failure and recovery alternate;
 * a recovery is owed only where the failure was.
 */
export function nextAlerts(before: AlertState, slot: AlertSlot, rules: Rules): AlertVerdict {
  const verdict = decide(before, slot, rules);
  const { changed, about } = verdict;
  const isClosed = changed !== null && changed.closedAtMs !== null;
  const stillUnsaid = isClosed ? changed : before.unsaid;
  const unsaid = verdict.state.told === 'down' ? stillUnsaid : null;
  return { ...verdict, state: { ...verdict.state, unsaid }, about: about ?? before.unsaid };
}

function decide(before: AlertState, slot: AlertSlot, rules: Rules): AlertVerdict {
  const { incident, changed } = nextIncident(before.incident, slot);
  // What goes up and down while nobody is told is no reason to be quiet afterwards.
  const hasChanged = changed !== null && !slot.isMuted;
  const noted = noteChanges({ ...before, incident }, { slot, hasChanged });
  const about = changed ?? incident;
  if (slot.isMuted || slot.health === 'unknown' || slot.health === 'pending')
    return { state: noted.state, changed, owed: [], about };
  if (noted.isNew) {
    const owed = rules.onFailure || rules.onRecovery ? (['flapping'] as const) : [];
    return { state: noted.state, changed, owed, about };
  }
  if (noted.state.flappingSinceMs !== null) return { state: noted.state, changed, owed: [], about };
  const { state, owed } = tell(noted.state, slot, rules);
  return { state, changed, owed, about };
}

function nextIncident(
  open: IncidentRecord | null,
  { atMs, health, healthSinceMs, opening }: AlertSlot,
): Pick<AlertState, 'incident'> & { readonly changed: IncidentRecord | null } {
  if (health === 'down' && open === null) {
    const opened = { ...opening, openedAtMs: Math.min(atMs, healthSinceMs), closedAtMs: null };
    return { incident: opened, changed: opened };
  }
  if (open !== null && isAnswering(health)) {
    const closedAtMs = Math.max(open.openedAtMs, Math.min(atMs, healthSinceMs));
    return { incident: null, changed: { ...open, closedAtMs } };
  }
  return { incident: open, changed: null };
}

interface Change {
  readonly slot: AlertSlot;
  readonly hasChanged: boolean;
}

/** Begins and ends the times in which it changes too often to be told each time. */
function noteChanges(
  state: AlertState,
  { slot: { atMs }, hasChanged }: Change,
): { readonly state: AlertState; readonly isNew: boolean } {
  const lately = state.changesMs.filter((changedMs) => changedMs > atMs - FLAPPING_MS);
  const changesMs = hasChanged ? [...lately, atMs].slice(-FLAPPING_CHANGES) : lately;
  const isFlapping =
    state.flappingSinceMs === null ? changesMs.length >= FLAPPING_CHANGES : changesMs.length > 0;
  const flappingSinceMs = isFlapping ? (state.flappingSinceMs ?? atMs) : null;
  const isNew = isFlapping && state.flappingSinceMs === null;
  return { state: { ...state, changesMs, flappingSinceMs }, isNew };
}

/** Brings what people know in line with what is so. */
function tell(
  state: AlertState,
  { atMs, health }: AlertSlot,
  rules: Rules,
): Pick<AlertVerdict, 'state' | 'owed'> {
  if (health === 'down') {
    if (state.told === 'down') return remind(state, atMs, rules);
    const owed = rules.onFailure ? (['failure'] as const) : [];
    return { state: { ...state, told: 'down', remindedAtMs: atMs }, owed };
  }
  if (state.told === 'down') {
    const owed = rules.onFailure && rules.onRecovery ? (['recovery'] as const) : [];
    const told = health === 'degraded' ? 'degraded' : 'well';
    return { state: { ...state, told, remindedAtMs: null }, owed };
  }
  if (health === 'degraded' && state.told === 'well') {
    const owed = rules.onDegraded ? (['degraded'] as const) : [];
    return { state: { ...state, told: 'degraded' }, owed };
  }
  return { state: { ...state, told: health === 'degraded' ? 'degraded' : 'well' }, owed: [] };
}

function remind(
  state: AlertState,
  atMs: number,
  { remindEveryMinutes, onFailure }: Rules,
): Pick<AlertVerdict, 'state' | 'owed'> {
  if (remindEveryMinutes === null || !onFailure) return { state, owed: [] };
  const dueMs = (state.remindedAtMs ?? atMs) + remindEveryMinutes * 60_000;
  if (atMs < dueMs) return { state, owed: [] };
  return { state: { ...state, remindedAtMs: atMs }, owed: ['reminder'] };
}

/** Decides which incident opens or closes, and which alerts are due. Pure. */
import type { AlertKind } from '../../contracts/alerting/alert-kinds';
import type {
  AlertRecipients,
  AlertRules,
  AlertState,
  FlappingFacts,
  IncidentSilence,
  Notice,
} from '../../contracts/alerts';
import type { Health, IncidentRecord } from '../../contracts/records';
import { isResponding } from '../health/health';
import { findFlappingNews, noteChanges } from './flapping';
import { hasRecipients, mergeRecipients, pickRecipients } from './rule-recipients';

export const NO_ALERTS: AlertState = {
  incident: null,
  notices: [],
  silence: null,
  remindedAtMs: null,
  isReminderDue: false,
  isDegraded: false,
  changesMs: [],
  flappingSinceMs: null,
  flapping: null,
  hold: null,
  isUnsaved: false,
};

/** A slot whose health is known. */
export interface AlertSlot {
  readonly atMs: number;
  readonly health: Health;
  readonly healthSinceMs: number;
  /** The facts for the incident, in case this slot opens one. */
  readonly opening: Omit<IncidentRecord, 'openedAtMs' | 'closedAtMs'>;
  /** True if nothing may be sent: during maintenance, or for a run that must not alert anyone. */
  readonly isMuted: boolean;
  /**
   * True if no failure alert may be sent, because the dependencies of the resource explain the failure or have not been
   * asked yet. Also true for the recovery from such a failure. Such failures and recoveries do not count as flapping.
   */
  readonly isHeld?: boolean;
}

/** A notification that must be sent, and its recipients. */
export interface DueAlert {
  readonly kind: Exclude<AlertKind, 'digest' | 'test' | 'certificate'>;
  readonly incident: IncidentRecord | null;
  /** When the state that the alert reports began. */
  readonly sinceMs: number;
  /** When the incident or degradation began. */
  readonly openedAtMs: number | null;
  /** The kinds of notifications that a recovery ends. Empty for other kinds of alerts. */
  readonly ends: readonly Notice['kind'][];
  readonly places: AlertRecipients;
  /** Present only in notices about flapping. */
  readonly flapping?: FlappingFacts;
  /** true means that the resource was flapping, and now stays down. */
  readonly staysDown?: true;
}

export interface AlertVerdict {
  readonly state: AlertState;
  /** The incident that this slot opened or closed. null if there is none. */
  readonly changed: IncidentRecord | null;
  /** The due alerts, in the order of sending. */
  readonly due: readonly DueAlert[];
}

/**
 * Returns the next state and the due alerts. A repeated slot sends nothing. A recovery ends the preceding failure,
 * degradation or both. The recovery is sent to everyone who was notified of these problems, even if the rules have
 * changed since.
 */
export function nextAlerts(before: AlertState, slot: AlertSlot, rules: AlertRules): AlertVerdict {
  const { incident, changed } = nextIncident(before.incident, slot);
  const isObserved = slot.health === 'down' || isResponding(slot.health);
  const isDegraded = isObserved ? slot.health === 'degraded' : before.isDegraded;
  const isEdge = changed !== null || (rules.onDegraded && isDegraded !== before.isDegraded);
  const isSilenced = slot.isMuted || slot.isHeld === true;
  // Changes in periods without notifications must not make later alerts count as flapping.
  const flapping = noteChanges(before, {
    atMs: slot.atMs,
    hasChanged: isEdge && !isSilenced,
    hasFailed: changed !== null && changed.closedAtMs === null && !isSilenced,
  });
  const state = {
    ...before,
    ...flapping.state,
    incident,
    isDegraded,
    notices: before.notices.map((notice) => withEnd(notice, changed)),
    hold: incident?.id === before.hold?.incidentId ? before.hold : null,
    silence: incident?.id === before.silence?.incidentId ? before.silence : null,
    isReminderDue: before.isReminderDue && incident !== null,
  };
  if (slot.isMuted || !isObserved) return { state, changed, due: [] };
  if (flapping.isNew) {
    const isWanted = hasRecipients(rules) && (rules.onFailure || rules.onRecovery);
    const about = changed ?? incident;
    const due = isWanted ? [flappingAlert(state, { slot, about, rules }, false)] : [];
    return { state, changed, due };
  }
  if (state.flappingSinceMs !== null) return { changed, ...notifyFlapping(state, slot, rules) };
  return { changed, ...notify(state, slot, rules) };
}

/**
 * Stores an acknowledgement or snooze of the open incident. Changes nothing if the acknowledgement or snooze is
 * outdated, or belongs to another incident.
 */
export function withSilence(state: AlertState, silence: IncidentSilence): AlertState {
  const isOpen = state.incident?.id === silence.incidentId;
  if (!isOpen || silence.sequence <= (state.silence?.sequence ?? 0)) return state;
  return { ...state, silence, isReminderDue: false };
}

/** When the snooze of the open incident ends. null means that the incident is not snoozed. */
export function snoozeEndMs({ silence }: AlertState): number | null {
  return silence?.snoozedUntilMs ?? null;
}

/** Ends the snooze. The next slot that is down sends a reminder if the incident is not acknowledged. */
export function withSnoozeOver(state: AlertState): AlertState {
  if (state.silence === null) return state;
  const { isAcknowledged } = state.silence;
  const silence = { ...state.silence, snoozedUntilMs: null };
  return { ...state, silence, isReminderDue: !isAcknowledged };
}

/** True while people have acknowledged or snoozed the open incident. */
export function isSilent({ silence }: AlertState): boolean {
  return silence !== null && (silence.isAcknowledged || silence.snoozedUntilMs !== null);
}

function nextIncident(
  open: IncidentRecord | null,
  { atMs, health, healthSinceMs, opening }: AlertSlot,
): Pick<AlertState, 'incident'> & { readonly changed: IncidentRecord | null } {
  if (health === 'down' && open === null) {
    const opened = { ...opening, openedAtMs: Math.min(atMs, healthSinceMs), closedAtMs: null };
    return { incident: opened, changed: opened };
  }
  if (open !== null && isResponding(health)) {
    const closedAtMs = Math.max(open.openedAtMs, Math.min(atMs, healthSinceMs));
    return { incident: null, changed: { ...open, closedAtMs } };
  }
  return { incident: open, changed: null };
}

/** Adds the end of the closed incident to the notice, even if the notice began with an earlier incident. */
function withEnd(notice: Notice, changed: IncidentRecord | null): Notice {
  if (notice.incident === null || changed === null || changed.closedAtMs === null) return notice;
  return { ...notice, incident: { ...notice.incident, closedAtMs: changed.closedAtMs } };
}

type Notified = Pick<AlertVerdict, 'state' | 'due'>;

/** Adds the notifications that inform people of the current health. */
function notify(state: AlertState, slot: AlertSlot, rules: AlertRules): Notified {
  if (slot.health === 'down') return notifyDown(state, slot, rules);
  const isEnded = ({ kind }: Notice): boolean => kind === 'failure' || slot.health === 'up';
  const ended = state.notices.filter(isEnded);
  const left = state.notices.filter((notice) => !isEnded(notice));
  const recovered = {
    state: { ...state, notices: left, remindedAtMs: null },
    due: ended.length > 0 && rules.onRecovery ? [buildRecovery(ended, slot)] : [],
  };
  const isWorthAnAlert = slot.health === 'degraded' && left.length === 0;
  if (!isWorthAnAlert || !rules.onDegraded || !hasRecipients(rules)) return recovered;
  const notice = buildNotice('degraded', { slot, about: null, rules });
  return {
    state: { ...recovered.state, notices: [notice] },
    due: [...recovered.due, buildAlert('degraded', { slot, about: null, rules })],
  };
}

/** Repeats the notice about flapping, or reports a long outage. Sends nothing while the incident is silent. */
function notifyFlapping(state: AlertState, slot: AlertSlot, rules: AlertRules): Notified {
  const isUnwanted = !rules.onFailure || !hasRecipients(rules) || isSilent(state);
  if (slot.health !== 'down' || slot.isHeld === true || isUnwanted) return { state, due: [] };
  const { flapping, incident } = state;
  const news = findFlappingNews(state, slot.atMs, rules);
  if (flapping == null || incident === null || news === null) return { state, due: [] };
  if (news === 'reminder') return remind(state, slot, rules);
  if (news === 'again') {
    const noted = { ...state, flapping: { ...flapping, notifiedAtMs: slot.atMs } };
    return { state: noted, due: [flappingAlert(noted, { slot, about: incident, rules }, true)] };
  }
  const stayedDown = { incidentId: incident.id, atMs: slot.atMs };
  const paged = { ...state, isReminderDue: true, flapping: { ...flapping, stayedDown } };
  const notified = notifyDown(paged, slot, rules);
  return { ...notified, due: notified.due.map((due) => ({ ...due, staysDown: true as const })) };
}

function notifyDown(state: AlertState, slot: AlertSlot, rules: AlertRules): Notified {
  const { incident: about, notices } = state;
  const isUnwanted = !rules.onFailure || !hasRecipients(rules) || isSilent(state);
  if (isUnwanted || slot.isHeld === true) return { state, due: [] };
  if (notices.some(({ kind }) => kind === 'failure')) return remind(state, slot, rules);
  const notice = buildNotice('failure', { slot, about, rules });
  return {
    state: {
      ...state,
      notices: [...notices, notice],
      remindedAtMs: slot.atMs,
      isReminderDue: false,
    },
    due: [buildAlert('failure', { slot, about, rules })],
  };
}

function remind(state: AlertState, slot: AlertSlot, rules: AlertRules): Notified {
  if (!state.isReminderDue && slot.atMs < nextReminderMs(state, slot, rules))
    return { state, due: [] };
  const { incident: about } = state;
  const notices = state.notices.map((notice) =>
    notice.kind === 'failure'
      ? { ...notice, recipients: mergeRecipients([notice.recipients, pickRecipients(rules)]) }
      : notice,
  );
  return {
    state: { ...state, notices, remindedAtMs: slot.atMs, isReminderDue: false },
    due: [{ ...buildAlert('reminder', { slot, about, rules }), incident: findKnown(state) }],
  };
}

/**
 * Returns the incident that people were notified of. During and after flapping, a new outage belongs to the incident
 * that people were notified of first.
 */
function findKnown({ incident, notices, flappingSinceMs }: AlertState): IncidentRecord | null {
  const known = notices.find(({ kind }) => kind === 'failure')?.incident ?? null;
  const began = incident?.decisions?.[0]?.reason;
  const isFlap = flappingSinceMs !== null || began?.startsWith('flapping') === true;
  return isFlap && known !== null ? known : incident;
}

function nextReminderMs(
  { remindedAtMs }: AlertState,
  { atMs }: AlertSlot,
  { remindEveryMinutes }: AlertRules,
): number {
  if (remindEveryMinutes === null) return Number.POSITIVE_INFINITY;
  return (remindedAtMs ?? atMs) + remindEveryMinutes * 60_000;
}

interface Facts {
  readonly slot: AlertSlot;
  readonly about: IncidentRecord | null;
  readonly rules: AlertRules;
}

function buildNotice(kind: Notice['kind'], { slot, about, rules }: Facts): Notice {
  return {
    kind,
    sinceMs: findSince(slot, about),
    incident: about,
    recipients: pickRecipients(rules),
  };
}

function flappingAlert({ flapping }: AlertState, facts: Facts, isAgain: boolean): DueAlert {
  const { outages, sinceMs } = flapping ?? { outages: 0, sinceMs: facts.slot.atMs };
  return { ...buildAlert('flapping', facts), flapping: { outages, sinceMs, isAgain } };
}

/**
 * Returns when the current state began. If an incident is open, this is the time at which the incident opened, even if
 * later slots have no result.
 */
function findSince({ healthSinceMs }: AlertSlot, about: IncidentRecord | null): number {
  return about === null || about.closedAtMs !== null ? healthSinceMs : about.openedAtMs;
}

function buildAlert(kind: DueAlert['kind'], { slot, about, rules }: Facts): DueAlert {
  return {
    kind,
    incident: about,
    sinceMs: findSince(slot, about),
    openedAtMs: about?.openedAtMs ?? null,
    ends: [],
    places: pickRecipients(rules),
  };
}

/** Builds one recovery for all problems that have ended. All recipients who were notified of these problems get it. */
function buildRecovery(ended: readonly Notice[], { healthSinceMs }: AlertSlot): DueAlert {
  const incident = ended.find(({ kind }) => kind === 'failure')?.incident ?? null;
  const sinceMs = incident?.closedAtMs ?? healthSinceMs;
  return {
    kind: 'recovery',
    incident,
    sinceMs,
    openedAtMs: incident?.openedAtMs ?? ended[0]?.sinceMs ?? null,
    ends: ended.map(({ kind }) => kind).reverse(),
    places: mergeRecipients(ended.map(({ recipients: places }) => places)),
  };
}

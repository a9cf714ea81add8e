/** Finds the reason for a decision of nextAlerts: why a slot sends its alerts or does not. Pure. */
import type { AlertRules, AlertState } from '../../contracts/alerts';
import type { AlertDecision, IncidentRecord } from '../../contracts/records';
import { type AlertSlot, type AlertVerdict, isSilent } from './alert-policy';
import { hasRecipients } from './rule-recipients';

type Reason = AlertDecision['reason'];

/** How many of an incident's first decisions are stored. The last decisions are stored, too. */
const DECISIONS_FIRST = 5;
const DECISIONS_MAX = 20;

/**
 * Returns the reason why people are notified, or why they are not. null if there is nothing to decide: the slot is
 * neither down nor the end of an incident, or people already know of the incident.
 */
export function findReason(
  { state, changed, due }: AlertVerdict,
  slot: AlertSlot,
  rules: AlertRules,
): Reason | null {
  const sends = (kind: (typeof due)[number]['kind']): boolean =>
    due.some((one) => one.kind === kind);
  if (changed !== null && changed.closedAtMs !== null) {
    if (sends('recovery')) return 'recovery_notified';
    return sends('flapping')
      ? 'flapping_began'
      : findSilentReason(state, { slot, rules, about: changed });
  }
  const { incident } = state;
  if (incident === null || slot.health !== 'down') return null;
  if (sends('failure')) return 'notified';
  if (due.some(({ staysDown }) => staysDown)) return 'stayed_down';
  if (sends('flapping')) return due[0]?.flapping?.isAgain ? 'flapping_again' : 'flapping_began';
  const known = state.notices.find(({ kind }) => kind === 'failure');
  if (known?.incident?.id === incident.id) return null;
  if (slot.isMuted) return 'muted';
  if (state.flappingSinceMs !== null) return 'flapping';
  if (known !== undefined) return 'known_down';
  if (!rules.onFailure) return 'failure_off';
  if (!hasRecipients(rules)) return 'no_recipients';
  if (isSilent(state)) return 'silenced';
  return state.hold?.explainedBy == null ? 'asks_dependencies' : 'dependency';
}

/** Returns why no recovery is sent although the incident has ended. */
function findSilentReason(
  { notices, flappingSinceMs }: AlertState,
  {
    slot,
    rules,
    about,
  }: { readonly slot: AlertSlot; readonly rules: AlertRules; readonly about: IncidentRecord },
): Reason {
  const wasNotified = about.decisions?.some(({ reason }) => reason === 'notified') ?? false;
  if (!wasNotified && notices.length === 0) return 'never_notified';
  if (slot.isMuted) return 'recovery_muted';
  if (flappingSinceMs !== null) return 'recovery_flapping';
  return rules.onRecovery || !wasNotified ? 'never_notified' : 'recovery_off';
}

/** Adds the decision to the incident, unless the last decision had the same reason. */
export function withDecision(incident: IncidentRecord, decision: AlertDecision): IncidentRecord {
  const { decisions = [] } = incident;
  if (decisions.at(-1)?.reason === decision.reason) return incident;
  const all = [...decisions, decision];
  const kept =
    all.length <= DECISIONS_MAX
      ? all
      : [...all.slice(0, DECISIONS_FIRST), ...all.slice(DECISIONS_FIRST - DECISIONS_MAX)];
  return { ...incident, decisions: kept };
}

/** Finds the policy of an alert and the state of its incident, for escalations. */
import type { AlertMessage, IncidentSilence } from '../../contracts/alerts';
import type { EscalationStatus, FoundPolicy } from '../../contracts/escalation';
import { readIncidentState } from '../../domain/alerting/same-incident';
import type { Incident } from '../../models/alerting/incidents';
import type { Resource } from '../../models/resources/resource';
import type { TextSealer } from '../../platform/sealing';
import { findOpeningAt } from '../maintenance/hours-calendar';
import type { Dependencies } from '../ports/dependencies';
import { choosePolicy } from './choose-policy';
import { buildPlan, readContacts } from './policy-contacts';

interface Needs extends Pick<Dependencies, 'stores'> {
  readonly sealer: TextSealer;
}
type About = Pick<AlertMessage, 'accountId' | 'resourceType' | 'resourceId'>;

/**
 * Finds the policy. A running escalation keeps the policy with which it started. Returns null if there is no policy.
 */
export async function findPolicy(needs: Needs, about: AlertMessage): Promise<FoundPolicy | null> {
  const { accountId, incidentId, kind } = about;
  const begun = await needs.stores.escalations.find(accountId, incidentId ?? '');
  // An escalation ends with its incident, but must still send the recovery. A recovery therefore also uses an
  // escalation that has ended.
  if (begun !== null && (kind === 'recovery' || !begun.state.isOver))
    return { ...begun.state.plan, known: begun.state };
  const resource = await findResource(needs, about);
  if (resource === null) return null;
  const { policy, route } = await choosePolicy(needs, resource);
  if (policy === null) return null;
  const contacts = await readContacts(needs, accountId);
  const holder = { accountId, tags: resource.tags };
  return { ...buildPlan(needs.sealer, holder, { ...contacts, policy }), route };
}

type Standing = Omit<EscalationStatus, 'quietUntilMs'>;

/**
 * While a step waits for service hours to begin, it reads the hours again after this time, because people may have
 * changed them.
 */
const HOURS_LOOK_MS = 3_600_000;

/**
 * Reads the status. An incident that is not stored yet counts as open. If an incident has several episodes, the last
 * episode decides.
 */
export async function readEscalationStatus(
  needs: Pick<Needs, 'stores'>,
  alert: AlertMessage,
  atMs: number,
): Promise<Standing> {
  const { accountId, incidentId } = alert;
  if (alert.resourceType === 'identityProvider') return readProviderStatus(needs, alert, atMs);
  const [resource, incident, [status]] = await Promise.all([
    findResource(needs, alert),
    needs.stores.incidents.find(accountId, incidentId ?? ''),
    needs.stores.statuses.findMany(accountId, [alert.resourceId]),
  ]);
  const last = await lastEpisode(needs, incident);
  const silence = last === null || incident === null ? null : findSilence(last, incident);
  if (resource === null || resource.state === 'deleting') return { state: 'gone', silence };
  const standing = last === null ? 'open' : readIncidentState(last, atMs);
  if (standing === 'over') return { state: 'over', silence };
  const isPaused = resource.state === 'paused' && (resource.pausedUntilMs ?? atMs + 1) > atMs;
  const isHeld = isPaused || status?.inMaintenance === true;
  const opensAtMs = isHeld ? null : await readOpening(needs, resource, atMs);
  if (opensAtMs !== null)
    return { state: 'hold', silence, heldUntilMs: Math.min(opensAtMs, atMs + HOURS_LOOK_MS) };
  return { state: isHeld ? 'hold' : standing, silence };
}

/**
 * Reads the status of an identity provider's incident. A provider cannot be paused, in maintenance or outside of its
 * hours.
 */
async function readProviderStatus(
  needs: Pick<Needs, 'stores'>,
  { accountId, incidentId }: AlertMessage,
  atMs: number,
): Promise<Standing> {
  const incident = await needs.stores.incidents.find(accountId, incidentId ?? '');
  const last = await lastEpisode(needs, incident);
  if (last === null || incident === null) return { state: 'open', silence: null };
  return { state: readIncidentState(last, atMs), silence: findSilence(last, incident) };
}

/**
 * Returns the time at which the service hours of the resource begin. The steps wait until then, like all alerts of the
 * resource. null means that no wait is needed.
 */
async function readOpening(
  { stores }: Pick<Needs, 'stores'>,
  { accountId, hours: key }: Resource,
  atMs: number,
): Promise<number | null> {
  const hours = key === null ? null : await stores.hours.findByKey(accountId, key);
  if (hours === null) return null;
  const { isOpen, changesAtMs } = findOpeningAt(hours, atMs);
  return isOpen ? null : changesAtMs;
}

/** Returns the last episode. If the incident is open, this is the incident itself. */
async function lastEpisode(
  { stores }: Pick<Needs, 'stores'>,
  incident: Incident | null,
): Promise<Incident | null> {
  if (incident === null || incident.closedAtMs === null) return incident;
  return (await stores.wholeIncidents.findLast(incident.accountId, incident.id)) ?? incident;
}

function findResource(
  { stores }: Pick<Needs, 'stores'>,
  { accountId, resourceType, resourceId }: About,
): Promise<Resource | null> {
  if (resourceType === 'identityProvider') return Promise.resolve(null);
  return resourceType === 'monitor'
    ? stores.monitors.find(accountId, resourceId)
    : stores.scenarios.find(accountId, resourceId);
}

/**
 * The sequence number of a response grows by this much with each episode. Responses to a later episode therefore have
 * higher numbers.
 */
const EPISODE_SEQUENCES = 1_000_000;

/** Returns the state after the last response to the last episode. null if no one has responded to that episode yet. */
function findSilence(last: Incident, { id, earlier }: Incident): IncidentSilence | null {
  const { silenceSequence, acknowledgedAtMs, snoozedUntilMs } = last;
  if (silenceSequence === 0) return null;
  const later = (last.earlier?.count ?? 0) - (earlier?.count ?? 0);
  const sequence = silenceSequence + later * EPISODE_SEQUENCES;
  return { incidentId: id, sequence, isAcknowledged: acknowledgedAtMs !== null, snoozedUntilMs };
}

/**
 * Writes the incidents of a made-up past with everything that real incidents have: decisions, a response, alerts, and
 * the escalation if the resource has an alert policy.
 */
import type { AlertMessage } from '../../contracts/alerts';
import type { ResourceKind } from '../../contracts/definition';
import type { EscalationState } from '../../contracts/escalation';
import { HEARTBEAT_REGION } from '../../contracts/heartbeat';
import { listMoments, type Moment, NOTHING_DEFERRED } from '../../domain/alerting/escalation';
import { buildUlid } from '../../domain/definitions/ids';
import { buildFirstResultId } from '../../domain/health/result-id';
import type { AlertChannelDocument } from '../alerting/alert-channels';
import { type AlertPolicy, createAlertPolicyStore } from '../alerting/alert-policies';
import { createAlertStore } from '../alerting/alerts';
import { createEscalationStore } from '../alerting/escalations';
import { createIncidentStore } from '../alerting/incidents';
import { type IncidentChange, saveIncident } from '../alerting/save-incident';
import type { Models } from '../collections';
import type { PastFailure } from './made-up-outcome';

export interface PastOutage {
  readonly fromMs: number;
  readonly toMs: number;
  readonly cause: PastFailure;
}

/** The resource that was down. */
export interface Subject {
  readonly kind: ResourceKind;
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly regions: readonly string[];
  /** Key of the alert policy. null if the account's default channels are notified. */
  readonly policy: string | null;
  /** Name of the person who responds. */
  readonly responder: string;
}

/** How long after a failure or a recovery an alert is sent. */
const SENT_AFTER_MS = 1_000;
/** How long after an alert a person responds. */
const RESPONDED_AFTER_MS = 40_000;

type Channel = AlertChannelDocument;

/** Writes the incidents. The channel notified first acknowledges every second incident. */
export async function insertIncidents(
  models: Models,
  subject: Subject,
  outages: readonly PastOutage[],
): Promise<void> {
  const { accountId, policy: key } = subject;
  const channels = await models.alertChannels.find({ accountId }).lean<Channel[]>();
  const policies = createAlertPolicyStore(models.alertPolicies);
  const policy = key === null ? null : await policies.findByKey(accountId, key);
  for (const [index, outage] of outages.entries()) {
    const incident = buildIncident(subject, outage);
    const handling = planHandling({ policy, channels }, outage, index % 2 === 0);
    await saveIncident(models.incidents, incident, outage.toMs);
    await insertResponse(models, subject, { incident, handling });
    await insertAlerts(models, incident, handling);
    if (policy !== null) await insertEscalation(models, subject, { incident, handling, policy });
  }
}

function buildIncident(subject: Subject, { fromMs, toMs, cause }: PastOutage): IncidentChange {
  const { kind, id, accountId } = subject;
  // Real incidents of heartbeats have no regions, and only monitors have evidence.
  const regions = subject.regions.filter((region) => region !== HEARTBEAT_REGION);
  const count = regions.length;
  const isCounted = kind === 'monitor' && count > 0;
  const needed = { failures: 1, failuresBeforeDown: 1, quorum: 1 };
  return {
    id: `inc_${buildUlid(fromMs, Buffer.from(id.slice(-10)))}`,
    accountId,
    resourceType: kind,
    resourceId: id,
    openedAtMs: fromMs,
    closedAtMs: toMs,
    cause: { code: cause.code, message: cause.message },
    regions,
    firstResultId:
      kind === 'monitor' ? buildFirstResultId(id, subject.regions[0] ?? '', fromMs) : null,
    firstRunId: kind === 'scenario' ? `run_${buildUlid(fromMs, Buffer.from(id.slice(-10)))}` : null,
    ...(isCounted && { evidence: { slotMs: fromMs, regions: count, failing: count, ...needed } }),
    decisions: [
      { atMs: fromMs, reason: 'notified' },
      { atMs: toMs, reason: 'recovery_notified' },
    ],
  };
}

interface Handling {
  /** The notifications of the failure, in order. */
  readonly notified: readonly {
    readonly moment: Moment;
    readonly atMs: number;
    readonly channels: readonly Channel[];
  }[];
  /** The acknowledgement. null if no one responded. */
  readonly response: { readonly atMs: number; readonly by: Channel } | null;
}

interface Contacts {
  readonly policy: AlertPolicy | null;
  readonly channels: readonly Channel[];
}

/** Decides who is notified and who responds. If the first channel does not, the last step of the policy does. */
function planHandling(
  { policy, channels }: Contacts,
  { fromMs, toMs }: PastOutage,
  isAcknowledgedAtOnce: boolean,
): Handling {
  const defaults = channels.filter(({ isDefault }) => isDefault);
  const moments = listMoments(
    policy?.steps ?? [{ afterMinutes: 0, until: 'acknowledged', repeat: null }],
  );
  const due = moments
    .map((moment) => {
      const ids = policy?.steps[moment.step]?.notify;
      const own = ids === undefined ? defaults : channels.filter(({ _id }) => ids.includes(_id));
      return { moment, atMs: fromMs + moment.offsetMs + SENT_AFTER_MS, channels: own };
    })
    .filter(({ atMs }) => atMs < toMs);
  const notified = isAcknowledgedAtOnce ? due.slice(0, 1) : due;
  const last = notified.at(-1);
  const by = last?.channels[0];
  const atMs = (last?.atMs ?? 0) + RESPONDED_AFTER_MS;
  const isAcknowledged =
    by !== undefined && atMs < toMs && (isAcknowledgedAtOnce || due.length > 1);
  return { notified, response: isAcknowledged ? { atMs, by } : null };
}

interface HandledIncident {
  readonly incident: IncidentChange;
  readonly handling: Handling;
}

async function insertResponse(
  models: Models,
  { responder }: Subject,
  { incident: { id, accountId }, handling: { response } }: HandledIncident,
): Promise<void> {
  if (response === null) return;
  const { atMs, by } = response;
  const text = `Acknowledged by ${responder}`;
  const fields = {
    acknowledgedAtMs: atMs,
    acknowledgedBy: responder,
    snoozedUntilMs: null,
    snoozedBy: null,
    snoozeReason: null,
    silenceChanges: [{ atMs, kind: 'acknowledged' as const, text }],
  };
  const incidents = createIncidentStore(models.incidents);
  await incidents.silence(accountId, { id, silenceSequence: 0 }, { fields, atMs });
  const note = `Acknowledged by ${by.key ?? by.name}.`;
  await incidents.addNote(accountId, id, { atMs, by: responder, text: note });
}

/** Stores the failure alerts, and the recovery alert of each channel that got a failure alert. */
async function insertAlerts(
  models: Models,
  { id: incidentId, accountId, resourceId, closedAtMs }: IncidentChange,
  { notified }: Handling,
): Promise<void> {
  const alerts = createAlertStore(models.alerts);
  const save = (kind: 'failure' | 'recovery', channel: Channel, sentAtMs: number) => {
    const ending = Buffer.from(resourceId.slice(-5) + channel._id.slice(-5));
    const createdAtMs = sentAtMs - SENT_AFTER_MS;
    return alerts.save(accountId, {
      id: `alr_${buildUlid(createdAtMs, ending)}`,
      accountId,
      incidentId,
      resourceId,
      kind,
      channelId: channel._id,
      channelType: channel.type,
      recipient: channel.places[0]?.shown ?? '',
      status: 'sent',
      attempts: [{ atMs: sentAtMs, outcome: 'sent', detail: 'Receiver response: 204.' }],
      sequence: 1,
      createdAtMs,
      sentAtMs,
      certificate: null,
      pending: null,
    });
  };
  for (const { channels, atMs } of notified)
    for (const channel of channels) await save('failure', channel, atMs);
  const all = new Set(notified.flatMap(({ channels }) => channels));
  for (const channel of all) await save('recovery', channel, (closedAtMs ?? 0) + SENT_AFTER_MS);
}

async function insertEscalation(
  models: Models,
  { name }: Subject,
  { incident, handling, policy }: HandledIncident & { readonly policy: AlertPolicy },
): Promise<void> {
  const { id: incidentId, accountId, openedAtMs: startedAtMs } = incident;
  const { notified, response } = handling;
  const toContact = (id: string) => ({ id, recipients: { channels: [id], targets: [] } });
  const listIds = (channels: readonly Channel[]): string[] => channels.map(({ _id }) => _id);
  const state: EscalationState = {
    v: 1,
    alert: buildAlert(incident, name),
    plan: {
      policyName: policy.name,
      steps: policy.steps.map(({ notify, ...times }) => ({
        ...times,
        contacts: notify.map(toContact),
      })),
      quietHours: null,
      lastResort: null,
    },
    startedAtMs,
    done: notified.map(({ moment }) => moment.number),
    notified: listIds(notified.flatMap(({ channels }) => channels)).map(toContact),
    lastStep: notified.at(-1)?.moment.step ?? null,
    silence:
      response === null
        ? null
        : { incidentId, sequence: 1, isAcknowledged: true, snoozedUntilMs: null },
    held:
      response === null
        ? NOTHING_DEFERRED
        : { ...NOTHING_DEFERRED, acknowledged: { totalMs: 0, sinceMs: response.atMs } },
    isResumed: false,
    resumptions: 0,
    isOver: true,
    events: notified.map(({ moment: { step, number }, atMs, channels }) => ({
      kind: 'notified',
      atMs: atMs - SENT_AFTER_MS,
      step,
      numbers: [number],
      first: listIds(channels),
      again: [],
    })),
    sequence: 1,
  };
  await createEscalationStore(models.escalations).save(accountId, { accountId, incidentId, state });
}

/** Builds the failure alert with which the escalation began. */
function buildAlert(incident: IncidentChange, resourceName: string): AlertMessage {
  const { id, accountId, resourceType, resourceId, openedAtMs, cause, regions } = incident;
  return {
    id,
    kind: 'failure',
    accountId,
    incidentId: id,
    resourceType,
    resourceId,
    resourceName,
    atMs: openedAtMs,
    sinceMs: openedAtMs,
    openedAtMs,
    health: 'down',
    ends: [],
    cause,
    regions,
    certificate: null,
    assertion: null,
    entries: [],
  };
}

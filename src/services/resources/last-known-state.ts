/**
 * Reads the last known state of a monitor or scenario from the database. If the workflow of the resource was lost, its
 * new workflow starts with this state.
 */
import type { WarnedCertificate } from '../../contracts/certificates';
import type { HeartbeatState } from '../../contracts/heartbeat-workflow';
import type { MonitorState, ScenarioState } from '../../contracts/workflows';
import { WARNED_MAX } from '../../domain/alerting/certificate-warnings';
import type { Monitor } from '../../models/resources/monitors';
import type { Resource } from '../../models/resources/resource';
import type { Scenario } from '../../models/resources/scenarios';
import { readPlan } from '../maintenance/maintenance-plans';
import type { Dependencies } from '../ports/dependencies';
import {
  type LastKnownState,
  type NoticeRecord,
  seedMonitorState,
  seedScenarioState,
} from './seed-state';

type Needs = Pick<Dependencies, 'stores' | 'clock'>;

/** Maximum number of delivery records that are read. An incident has two records per target, plus reminders. */
const DELIVERIES_MAX = 200;

/** Reads the state. If the resource was never checked, the state contains only its definition. */
export async function readLastKnownState<Entity extends Resource>(
  needs: Needs,
  resource: Entity,
): Promise<LastKnownState<Entity>> {
  const { stores } = needs;
  const { accountId, id } = resource;
  const [[status = null], incident, maintenance, certificates] = await Promise.all([
    stores.statuses.findMany(accountId, [id]),
    stores.incidents.findOpen(accountId, id),
    readPlan(needs, resource),
    readWarned(needs, resource),
  ]);
  const notices = await readNotices(needs, resource, incident?.id ?? null);
  return { resource, status, incident, notices, maintenance, certificates };
}

/**
 * Reads the first failure notification and the first degraded notification since the last recovery. While an incident
 * is open, leaves out failures of other incidents.
 */
async function readNotices(
  { stores }: Needs,
  { accountId, id }: Resource,
  openId: string | null,
): Promise<readonly NoticeRecord[]> {
  const page = { incidentId: null, resourceId: id, status: null, beforeId: null };
  const { items } = await stores.alerts.page(accountId, { ...page, limit: DELIVERIES_MAX });
  const recoveredAt = items.findIndex(({ kind }) => kind === 'recovery');
  const since = recoveredAt < 0 ? items : items.slice(0, recoveredAt);
  const notices: NoticeRecord[] = [];
  for (const { kind: sent, createdAtMs, incidentId } of since.toReversed()) {
    const kind = sent === 'reminder' ? 'failure' : sent;
    if (kind !== 'failure' && kind !== 'degraded') continue;
    const isOther = kind === 'failure' && openId !== null && incidentId !== openId;
    if (isOther || notices.some((notice) => notice.kind === kind)) continue;
    const incident =
      incidentId === null ? null : await stores.incidents.find(accountId, incidentId);
    notices.push({ kind, sentAtMs: createdAtMs, incident });
  }
  const isKnown = notices.some(({ kind }) => kind === 'failure');
  const begun =
    openId === null || isKnown ? null : await stores.escalations.find(accountId, openId);
  if (begun === null) return notices;
  // Later steps of the escalation may notify more people, who must then be notified of the recovery. The escalation
  // therefore counts as a failure notification.
  const incident = await stores.incidents.find(accountId, begun.incidentId);
  return [...notices, { kind: 'failure', sentAtMs: begun.state.startedAtMs, incident }];
}

/** Reads, for each certificate, the smallest threshold (in days before the expiry) about which people were warned. */
async function readWarned(
  { stores }: Needs,
  { accountId, id }: Resource,
): Promise<readonly WarnedCertificate[]> {
  const page = { incidentId: null, resourceId: id, status: null, beforeId: null };
  const query = { ...page, kind: 'certificate', limit: DELIVERIES_MAX } as const;
  const { items } = await stores.alerts.page(accountId, query);
  const warned = new Map<string, WarnedCertificate>();
  for (const { certificate } of items.toReversed()) {
    if (certificate === null) continue;
    const { fingerprint, expiresAtMs, rungDays } = certificate;
    const earlier = warned.get(fingerprint);
    if (earlier === undefined || rungDays < earlier.rungDays)
      warned.set(fingerprint, { fingerprint, expiresAtMs, rungDays });
  }
  return [...warned.values()].slice(-WARNED_MAX);
}

/** Reads the state of a monitor's workflow, with the current configuration and the next maintenance. */
export async function readMonitorState(
  needs: Needs,
  resource: Monitor,
): Promise<MonitorState | HeartbeatState> {
  return seedMonitorState(await readLastKnownState(needs, resource), needs.clock.now());
}

/** Like readMonitorState, for scenarios. */
export async function readScenarioState(needs: Needs, resource: Scenario): Promise<ScenarioState> {
  return seedScenarioState(await readLastKnownState(needs, resource), needs.clock.now());
}

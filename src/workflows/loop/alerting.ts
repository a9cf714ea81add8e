/**
 * Decides which alerts the result of a check or round causes. Each alert is started as a child workflow, so that slow
 * mail never delays a check.
 */

import { startChild, uuid4 } from '@temporalio/workflow';
import type { PassingCheck } from '../../contracts/alerting/alert-facts';
import {
  ALERT_PRIORITY,
  type AlertInput,
  type AlertMessage,
  type AlertRecipients,
  alertWorkflowId,
} from '../../contracts/alerts';
import type { SeenCertificate, WarnedCertificate } from '../../contracts/certificates';
import type { JsonValue, ResourceKind } from '../../contracts/definition';
import type { AlertExchange, AssertionOutcome } from '../../contracts/outcome';
import type { IncidentEvidence, IncidentRecord } from '../../contracts/records';
import type { HealthState, ScheduleConfig } from '../../contracts/workflows';
import { WORKFLOW_TYPES } from '../../contracts/workflows';
import type { DueAlert } from '../../domain/alerting/alert-policy';
import { type CertificateWarning, nextWarnings } from '../../domain/alerting/certificate-warnings';
import { nextHeldAlerts } from '../../domain/alerting/held-alerts';
import { hasRecipients } from '../../domain/alerting/rule-recipients';
import { buildUlid } from '../../domain/definitions/ids';
import { cutText } from '../../domain/text/cut-text';
import { askInBackground, type Holding } from './hold-failure';
import { createTenRandomBytes } from './random-bytes';
import { formatInstant } from './show';
import { unlessFolded } from './unless-folded';

/** What is known about one slot after the health has been computed. */
export interface Finding {
  readonly kind: ResourceKind;
  readonly slotMs: number;
  readonly health: HealthState;
  readonly cause: IncidentRecord['cause'];
  readonly regions: readonly string[];
  readonly firstRunId: string | null;
  readonly assertion: AlertMessage['assertion'];
  /** Builds the facts that only alerts need. Called when an alert is due, because most slots cause none. */
  readonly buildDetails?: () => AlertDetails;
  readonly isMuted: boolean;
  /** The counts that led to the finding. Absent if nothing is counted. */
  readonly evidence?: IncidentEvidence;
  /** When the check began. Absent if it began exactly at its slot. */
  readonly beganAtMs?: number;
}

export interface AlertDetails {
  readonly exchange: AlertExchange | null;
  /** A check of this slot that passed. */
  readonly passing: PassingCheck | null;
  /** The cause if the resource is degraded. */
  readonly degradedCause: IncidentRecord['cause'];
}

const NO_DETAILS: AlertDetails = { exchange: null, passing: null, degradedCause: null };

/** The facts about the incident for the record of a slot. */
export interface IncidentFinding {
  readonly incident: IncidentRecord | null;
  readonly currentIncidentId: string | null;
}

/** Maximum length of a value. Longer values are cut, but the incident shows the whole value. */
const TEXT_MAX = 300;

/** Returns the part of a failed assertion that alerts show. */
export function toAssertionFacts({
  type,
  operator,
  target,
  expected,
  actual,
}: AssertionOutcome): AlertMessage['assertion'] {
  const text = [type, target, operator].filter((part) => part !== null).join(' ');
  return { text, expected: formatValue(expected), actual: formatValue(actual) };
}

function formatValue(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return cutText(text, TEXT_MAX + 1);
}

interface Warning {
  state: {
    readonly config: ScheduleConfig;
    readonly certificates: readonly WarnedCertificate[];
  };
}

/**
 * Decides which alerts are due, updates the state and starts the alerts. Resolves once every alert is safely started. A
 * failure that a dependency may explain is handled in the background.
 */
export async function raiseAlerts<Context extends Holding>(
  context: Context,
  finding: Finding,
): Promise<IncidentFinding> {
  const { config, alerts } = context.state;
  const { slotMs, health } = finding;
  const id = `inc_${buildUlid(slotMs, createTenRandomBytes())}`;
  const { cause, regions, firstRunId, isMuted, evidence } = finding;
  const slot = {
    atMs: slotMs,
    health: health.health,
    healthSinceMs: health.sinceMs,
    opening: { id, cause, regions, firstRunId, ...(evidence && { evidence }) },
    isMuted,
  };
  const verdict = nextHeldAlerts(alerts, slot, {
    rules: config.alerts,
    dependsOn: config.dependsOn,
  });
  const unsaved = verdict.state.isUnsaved ? verdict.state.incident : null;
  context.state = { ...context.state, alerts: { ...verdict.state, isUnsaved: false } };
  const send = (due: DueAlert, about: Finding): Promise<void> =>
    startAlert(alertMessage(due, { config: context.state.config, finding: about }), due.places);
  for (const due of verdict.due) await send(due, finding);
  const { beganAtMs = slotMs } = finding;
  if (verdict.mustAsk) askInBackground(context, { finding, beganAtMs, isMuted, send });
  const currentIncidentId = verdict.state.incident?.id ?? null;
  return { incident: verdict.changed ?? unsaved, currentIncidentId };
}

/** Warns of certificates that are about to expire. Resolves once every alert is safely started. */
export async function warnAboutCertificates<Context extends Warning>(
  context: Context,
  finding: Finding,
  seen: readonly SeenCertificate[],
): Promise<void> {
  const { config, certificates } = context.state;
  const { channels, targets } = config.alerts;
  const isMuted = finding.isMuted || !hasRecipients(config.alerts);
  const { warned, due } = nextWarnings(certificates, seen, { atMs: finding.slotMs, isMuted });
  context.state = { ...context.state, certificates: warned };
  for (const warning of due)
    await startAlert(certificateAlert(warning, { config, finding }), { channels, targets });
}

interface Facts {
  readonly config: ScheduleConfig;
  readonly finding: Finding;
}

function alertMessage(
  { kind, incident, sinceMs, openedAtMs, ends, flapping, staysDown }: DueAlert,
  { config, finding }: Facts,
): AlertMessage {
  const isOver = kind === 'recovery';
  // A flapping resource may be up at the moment. The cause is then that of its last outage.
  const isPast = isOver || (kind === 'flapping' && finding.cause === null);
  const { exchange, passing, degradedCause } = finding.buildDetails?.() ?? NO_DETAILS;
  // Degraded health opens no incident, so its alert contains the cause itself.
  const cause = finding.cause ?? (kind === 'degraded' ? degradedCause : null);
  return {
    id: uuid4(),
    kind,
    accountId: config.accountId,
    incidentId: incident?.id ?? null,
    resourceType: finding.kind,
    resourceId: config.id,
    resourceName: config.name,
    atMs: finding.slotMs,
    sinceMs,
    openedAtMs,
    health: finding.health.health,
    ends,
    cause: isPast ? (incident?.cause ?? null) : cause,
    regions: isPast ? (incident?.regions ?? []) : finding.regions,
    certificate: null,
    assertion: isOver ? null : finding.assertion,
    entries: [],
    ...(!isOver && config.guidance !== undefined && { guidance: config.guidance }),
    ...(!isOver && exchange !== null && { exchange }),
    ...(isPast && passing !== null && { passing }),
    ...(flapping !== undefined && { flapping }),
    ...(staysDown === true && { staysDown }),
  };
}

function certificateAlert(
  { certificate, thresholdDays }: CertificateWarning,
  { config, finding }: Facts,
): AlertMessage {
  const { region, warnDays: _warnDays, ...facts } = certificate;
  return {
    id: uuid4(),
    kind: 'certificate',
    accountId: config.accountId,
    incidentId: null,
    resourceType: finding.kind,
    resourceId: config.id,
    resourceName: config.name,
    atMs: finding.slotMs,
    sinceMs: finding.slotMs,
    openedAtMs: null,
    health: finding.health.health,
    ends: [],
    cause: null,
    regions: [region],
    certificate: { ...facts, rungDays: thresholdDays },
    assertion: null,
    entries: [],
    ...(config.guidance !== undefined && { guidance: config.guidance }),
  };
}

async function startAlert(alert: AlertMessage, places: AlertRecipients): Promise<void> {
  const raised: AlertInput = { v: 1, alert, recipients: places };
  const input = await unlessFolded(raised);
  if (input === null) return;
  await startChild(WORKFLOW_TYPES.alert, {
    workflowId: alertWorkflowId(alert.id),
    args: [input],
    parentClosePolicy: 'ABANDON',
    priority: { ...ALERT_PRIORITY, fairnessKey: alert.accountId },
    staticSummary: `${alert.kind} · ${formatInstant(alert.atMs)}`,
  });
}

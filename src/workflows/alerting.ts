/**
 * What a slot owes to people, and handing it on: each alert is a child workflow of its own, so that
 * slow mail never delays a check, and none is lost with this one. It sends nothing itself.
 */
import { startChild, uuid4 } from '@temporalio/workflow';
import {
  type AlertInput,
  type AlertState,
  alertWorkflowId,
  type IncidentRecord,
  type OwedAlert,
} from '../contracts/alerts';
import type { JsonValue, ResourceKind } from '../contracts/definition';
import type { AssertionOutcome } from '../contracts/outcome';
import type { HealthState, ScheduleConfig } from '../contracts/workflows';
import { WORKFLOW_TYPES } from '../contracts/workflows';
import { type AlertVerdict, nextAlerts } from '../domain/alert-policy';
import { ulidFrom } from '../domain/ids';
import { randomTenBytes } from './random-bytes';
import { formatInstant } from './show';

/** What is known of a slot when its health is. */
export interface Finding {
  readonly kind: ResourceKind;
  readonly slotMs: number;
  readonly health: HealthState;
  readonly cause: IncidentRecord['cause'];
  readonly regions: readonly string[];
  readonly firstRunId: string | null;
  readonly assertion: OwedAlert['assertion'];
  readonly isMuted: boolean;
}

/** What settling must know of it. */
export interface IncidentNews {
  readonly incident: IncidentRecord | null;
  readonly currentIncidentId: string | null;
}

/** Long values are cut: the incident shows them whole. */
const TEXT_MAX = 300;

/** The part of a failed assertion that people are told. */
export function assertionFacts({
  type,
  operator,
  target,
  expected,
  actual,
}: AssertionOutcome): OwedAlert['assertion'] {
  const text = [type, target, operator].filter((part) => part !== null).join(' ');
  return { text, expected: textOf(expected), actual: textOf(actual) };
}

function textOf(value: JsonValue): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
}

interface Alerting {
  state: { readonly config: ScheduleConfig; readonly alerts: AlertState };
}

/** Decides, remembers, and starts what is owed; resolves once every alert is durable. */
export async function raiseAlerts<Keeper extends Alerting>(
  keeper: Keeper,
  finding: Finding,
): Promise<IncidentNews> {
  const { config, alerts } = keeper.state;
  const { slotMs, health } = finding;
  const id = `inc_${ulidFrom(slotMs, randomTenBytes())}`;
  const { cause, regions, firstRunId, isMuted } = finding;
  const verdict = nextAlerts(
    alerts,
    {
      atMs: slotMs,
      health: health.health,
      healthSinceMs: health.sinceMs,
      opening: { id, cause, regions, firstRunId },
      isMuted,
    },
    config.alerts,
  );
  keeper.state = { ...keeper.state, alerts: verdict.state };
  const hasPlaces = config.alerts.channels.length > 0 || config.alerts.targets.length > 0;
  if (hasPlaces)
    for (const kind of verdict.owed)
      await startAlert(config, owedAlert(kind, { config, finding, verdict }));
  return { incident: verdict.changed, currentIncidentId: verdict.state.incident?.id ?? null };
}

interface Facts {
  readonly config: ScheduleConfig;
  readonly finding: Finding;
  readonly verdict: AlertVerdict;
}

function owedAlert(
  kind: OwedAlert['kind'],
  { config, finding, verdict: { about } }: Facts,
): OwedAlert {
  const isOver = kind === 'recovery';
  return {
    id: uuid4(),
    kind,
    accountId: config.accountId,
    incidentId: about?.id ?? null,
    resourceType: finding.kind,
    resourceId: config.id,
    resourceName: config.name,
    atMs: finding.slotMs,
    sinceMs: isOver ? (about?.closedAtMs ?? finding.slotMs) : finding.health.sinceMs,
    openedAtMs: about?.openedAtMs ?? null,
    cause: isOver ? (about?.cause ?? null) : finding.cause,
    regions: isOver ? (about?.regions ?? []) : finding.regions,
    assertion: isOver ? null : finding.assertion,
    entries: [],
  };
}

async function startAlert({ alerts }: ScheduleConfig, alert: OwedAlert): Promise<void> {
  const { channels, targets } = alerts;
  const input: AlertInput = { v: 1, alert, places: { channels, targets } };
  await startChild(WORKFLOW_TYPES.alert, {
    workflowId: alertWorkflowId(alert.id),
    args: [input],
    parentClosePolicy: 'ABANDON',
    staticSummary: `${alert.kind} · ${formatInstant(alert.atMs)}`,
  });
}

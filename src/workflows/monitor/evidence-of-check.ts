/** The counts and observations of a monitor's slot: for alerts, and to explain why people were notified. Pure. */
import type { CheckStatus } from '../../contracts/outcome';
import type { IncidentEvidence, MonitorCheckRecord } from '../../contracts/records';
import type { MonitorState } from '../../contracts/workflows';
import { degradedCause } from '../../domain/alerting/degraded-cause';
import { exchangeFacts } from '../../domain/alerting/exchange-facts';
import { keptOutcome } from '../../domain/health/evidence';
import type { Finding } from '../loop/alerting';

/** Facts for alerts about the first failed region, or else the first degraded one; bodies of failures only. */
export function alertDetails(
  outcomes: MonitorCheckRecord['outcomes'],
): Pick<Finding, 'exchange' | 'degradedCause'> {
  const find = (status: CheckStatus) =>
    outcomes.find(({ outcome }) => outcome.status === status)?.outcome;
  const degraded = find('degraded');
  const first = find('down') ?? degraded;
  return {
    exchange: first === undefined ? null : exchangeFacts(keptOutcome(first)),
    degradedCause: degraded === undefined ? null : degradedCause(degraded),
  };
}

/** The state must be the one after the slot. */
export function gatherEvidence(
  slotMs: number,
  heard: MonitorCheckRecord['outcomes'],
  { health, config }: MonitorState,
): IncidentEvidence {
  const { failuresBeforeDown, quorum } = config;
  const known = heard.filter(({ outcome }) => outcome.status !== 'unknown');
  const failing = known.filter(({ outcome }) => outcome.status === 'down').length;
  const { failures } = health;
  return { slotMs, failures, failuresBeforeDown, regions: known.length, failing, quorum };
}

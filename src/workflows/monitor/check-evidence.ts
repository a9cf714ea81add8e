/**
 * Builds the counts and observations of one check of a monitor. Alerts contain them, and explanations of why people
 * were notified use them. Pure.
 */
import type { CheckStatus } from '../../contracts/outcome';
import type { IncidentEvidence, MonitorCheckRecord } from '../../contracts/records';
import type { MonitorState } from '../../contracts/workflows';
import { findDegradedCause } from '../../domain/alerting/degraded-cause';
import { toExchangeFacts, toPassingCheck } from '../../domain/alerting/exchange-facts';
import { toStoredOutcome } from '../../domain/health/evidence';
import { type AlertDetails, type Finding, toAssertionFacts } from '../loop/alerting';

/** Judges the target by the outcomes of the check. The first failing region provides the cause. */
export function buildFinding(
  { slotMs }: Pick<MonitorCheckRecord, 'slotMs'>,
  outcomes: MonitorCheckRecord['outcomes'],
  { health, config }: Pick<MonitorState, 'health' | 'config'>,
): Omit<Finding, 'isMuted'> {
  const failed = outcomes.filter(({ outcome }) => outcome.status === 'down');
  const failure = failed[0]?.outcome.failure ?? null;
  const broken = failed[0]?.outcome.assertions.find(({ ok }) => !ok);
  return {
    kind: 'monitor',
    slotMs,
    health,
    cause: failure === null ? null : { code: failure.code, message: failure.message },
    regions: failed.map(({ region }) => region),
    firstRunId: null,
    assertion: broken === undefined ? null : toAssertionFacts(broken),
    buildDetails: () => buildDetails(outcomes, config),
  };
}

/**
 * Returns the facts for alerts: the exchange of the first failed region, or of the first degraded region if no region
 * failed, and the first passing check. Bodies are included only for failures.
 */
function buildDetails(
  outcomes: MonitorCheckRecord['outcomes'],
  { degradedAboveMs = null }: { readonly degradedAboveMs?: number | null },
): AlertDetails {
  const find = (status: CheckStatus) =>
    outcomes.find(({ outcome }) => outcome.status === status)?.outcome;
  const degraded = find('degraded');
  const first = find('down') ?? degraded;
  return {
    exchange: first === undefined ? null : toExchangeFacts(toStoredOutcome(first)),
    degradedCause: degraded === undefined ? null : findDegradedCause(degraded, degradedAboveMs),
    passing: toPassingCheck(find('up') ?? degraded),
  };
}

/** Builds the counts and observations of the check. Expects the state after the slot. */
export function gatherEvidence(
  slotMs: number,
  observed: MonitorCheckRecord['outcomes'],
  { health, config }: MonitorState,
): IncidentEvidence {
  const { failuresBeforeDown, quorum } = config;
  const known = observed.filter(({ outcome }) => outcome.status !== 'unknown');
  const failing = known.filter(({ outcome }) => outcome.status === 'down').length;
  const { failures } = health;
  return { slotMs, failures, failuresBeforeDown, regions: known.length, failing, quorum };
}

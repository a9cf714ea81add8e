/** Reads the first failing check of an incident and the last passing check before it. Changes nothing. */
import type { LastPassing } from '../../contracts/alerts';
import type { AlertExchange, StepOutcome } from '../../contracts/outcome';
import { toExchangeFacts } from '../../domain/alerting/exchange-facts';
import { withEvidence } from '../../domain/health/evidence';
import type { Incident } from '../../models/alerting/incidents';
import type { Stores } from '../../models/stores';

/**
 * How far before a failure the last passing result is searched for. Older results show little about the cause, and are
 * slow to find.
 */
const LOOK_BACK_MS = 24 * 3_600_000;

/**
 * The stored data of the first failing and the last passing check. Each field is null if nothing is stored.
 * `lastPassing` is also null for a scenario.
 */
export interface IncidentExchange {
  readonly exchange: AlertExchange | null;
  readonly lastPassing: LastPassing | null;
}

export async function readIncidentExchange(
  stores: Pick<Stores, 'results' | 'runs' | 'evidence'>,
  incident: Incident,
): Promise<IncidentExchange> {
  const { accountId, resourceType, resourceId, openedAtMs, regions } = incident;
  const [region] = regions;
  const failed = await readFailedOutcome(stores, incident);
  const passing = { accountId, resourceId, region: region ?? '', beforeMs: openedAtMs };
  const hasPassing = resourceType === 'monitor' && region !== undefined;
  return {
    exchange: failed === null ? null : toExchangeFacts(failed),
    lastPassing: hasPassing ? await findLastPassing(stores, passing) : null,
  };
}

async function readFailedOutcome(
  { results, runs }: Pick<Stores, 'results' | 'runs'>,
  { accountId, firstResultId, firstRunId }: Incident,
): Promise<StepOutcome | null> {
  if (firstResultId !== null)
    return (await results.find(accountId, firstResultId))?.outcome ?? null;
  if (firstRunId === null) return null;
  const run = await runs.find(accountId, firstRunId);
  return run?.steps.find(({ outcome }) => outcome?.status === 'down')?.outcome ?? null;
}

interface PassingQuery {
  readonly accountId: string;
  /** Id of a monitor. */
  readonly resourceId: string;
  readonly region: string;
  readonly beforeMs: number;
}

/** Finds the last passing result within the 24 hours before the failure. null if there is none. */
export async function findLastPassing(
  {
    results,
    evidence,
  }: { readonly results: Pick<Stores['results'], 'page'> } & Pick<Stores, 'evidence'>,
  { accountId, resourceId, region, beforeMs }: PassingQuery,
): Promise<LastPassing | null> {
  const { items } = await results.page(accountId, {
    monitorId: resourceId,
    regions: [region],
    fromMs: beforeMs - LOOK_BACK_MS,
    toMs: beforeMs,
    status: 'up',
    limit: 1,
    after: null,
  });
  const [passing] = items;
  if (passing === undefined || passing.outcome === null) return null;
  const kept = await evidence.find(accountId, { resourceId, region, resultId: passing.id });
  const exchange = toExchangeFacts(withEvidence(passing.outcome, kept?.[0] ?? null));
  return {
    atMs: passing.slotMs,
    status: exchange?.status ?? null,
    responseTimeMs: passing.responseTimeMs,
    body: exchange?.body ?? null,
  };
}

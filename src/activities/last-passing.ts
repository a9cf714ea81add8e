/** The result that passed last before a failure, so that an alert shows both. No alert waits for it. */
import type { AlertMessage, LastPassing } from '../contracts/alerts';
import { exchangeFacts } from '../domain/alerting/exchange-facts';
import { withEvidence } from '../domain/health/evidence';
import type { Stores } from '../models/stores';
import type { Logger } from '../platform/logger';

/** An earlier result says little about what changed, and is slow to find. */
const LOOK_BACK_MS = 24 * 3_600_000;

export interface LastPassingNeeds {
  readonly results: Pick<Stores['results'], 'page'>;
  readonly evidence: Stores['evidence'];
  readonly logger: Pick<Logger, 'warn'>;
}

/** Adds it to failures of monitors; without the database, the alert stays as it is. */
export async function withLastPassing(
  needs: LastPassingNeeds,
  alert: AlertMessage,
): Promise<AlertMessage> {
  const [region] = alert.regions;
  if (alert.kind !== 'failure' || alert.resourceType !== 'monitor' || region === undefined)
    return alert;
  try {
    const lastPassing = await findLastPassing(needs, alert, region);
    return lastPassing === null ? alert : { ...alert, lastPassing };
  } catch (error) {
    needs.logger.warn({ err: error }, 'an alert is sent without the last passing result');
    return alert;
  }
}

async function findLastPassing(
  { results, evidence }: LastPassingNeeds,
  { accountId, resourceId, sinceMs }: AlertMessage,
  region: string,
): Promise<LastPassing | null> {
  const { items } = await results.page(accountId, {
    monitorId: resourceId,
    regions: [region],
    fromMs: sinceMs - LOOK_BACK_MS,
    toMs: sinceMs,
    status: 'up',
    limit: 1,
    after: null,
  });
  const [passing] = items;
  if (passing === undefined || passing.outcome === null) return null;
  const kept = await evidence.find(accountId, { resourceId, region, resultId: passing.id });
  const exchange = exchangeFacts(withEvidence(passing.outcome, kept?.[0] ?? null));
  return {
    atMs: passing.slotMs,
    status: exchange?.status ?? null,
    responseTimeMs: passing.responseTimeMs,
    body: exchange?.body ?? null,
  };
}

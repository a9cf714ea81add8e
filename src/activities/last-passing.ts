/** The result that passed last before a failure, so that an alert shows both. No alert waits for it. */
import type { AlertMessage } from '../contracts/alerts';
import type { Stores } from '../models/stores';
import type { Logger } from '../platform/logger';
import { findLastPassing } from '../services/evidence/incident-evidence';

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
  const { accountId, resourceId, sinceMs, regions } = alert;
  const [region] = regions;
  if (alert.kind !== 'failure' || alert.resourceType !== 'monitor' || region === undefined)
    return alert;
  try {
    const query = { accountId, resourceId, region, beforeMs: sinceMs };
    const lastPassing = await findLastPassing(needs, query);
    return lastPassing === null ? alert : { ...alert, lastPassing };
  } catch (error) {
    needs.logger.warn({ err: error }, 'an alert is sent without the last passing result');
    return alert;
  }
}

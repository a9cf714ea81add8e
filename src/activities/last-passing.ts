/**
 * Finds the last passing result before a failure, to show it in the alert. If the result cannot be read in time, the
 * alert is sent without it.
 */
import type { AlertMessage, LastPassing } from '../contracts/alerts';
import type { Stores } from '../models/stores';
import type { Logger } from '../platform/logger';
import { findLastPassing } from '../services/evidence/incident-evidence';

export interface LastPassingNeeds {
  readonly results: Pick<Stores['results'], 'page'>;
  readonly evidence: Stores['evidence'];
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Returns the last passing result before the failure. Returns null if no check passed before, if the alert is not a
 * failure of a monitor, or if the database is unavailable.
 */
async function readLastPassing(
  needs: LastPassingNeeds,
  alert: AlertMessage,
): Promise<LastPassing | null> {
  const { accountId, resourceId, sinceMs, regions } = alert;
  const [region] = regions;
  if (alert.kind !== 'failure' || alert.resourceType !== 'monitor' || region === undefined)
    return null;
  try {
    return await findLastPassing(needs, { accountId, resourceId, region, beforeMs: sinceMs });
  } catch (error) {
    needs.logger.warn({ err: error }, 'an alert is sent without the last passing result');
    return null;
  }
}

/**
 * Returns a function that reads the last passing result before an alert. Concurrent reads for one alert share one
 * database read.
 */
export function createReadLastPassing(
  needs: LastPassingNeeds,
): (alert: AlertMessage) => Promise<LastPassing | null> {
  const underWay = new Map<string, Promise<LastPassing | null>>();
  return (alert) => {
    const known = underWay.get(alert.id);
    if (known !== undefined) return known;
    const read = readLastPassing(needs, alert).finally(() => underWay.delete(alert.id));
    underWay.set(alert.id, read);
    return read;
  };
}

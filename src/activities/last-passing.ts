/** The last passing result before a failure, so that an alert can show both. No alert waits for it. */
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
 * Returns a result only for failures of monitors. null: no check passed, it is another alert, or the database is
 * unavailable.
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

/** Simultaneous reads for one alert, for example to several recipients, share one read. Later attempts read again. */
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

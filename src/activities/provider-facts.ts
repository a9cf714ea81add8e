/** Finds the checks that cannot sign in at an identity provider when the alert is sent. */
import type { AlertMessage } from '../contracts/alerts';
import type { WholeIncidentStore } from '../models/alerting/whole-incidents';
import type { Logger } from '../platform/logger';

interface Needs {
  readonly wholeIncidents: Pick<WholeIncidentStore, 'findLast'>;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Replaces the facts about the provider with current facts, because more checks may have failed since the alert was
 * created. If the database is unavailable, the alert stays unchanged.
 */
export async function withProviderFacts(
  { wholeIncidents, logger }: Needs,
  alert: AlertMessage,
): Promise<AlertMessage> {
  const { provider, kind, accountId, incidentId } = alert;
  if (provider === undefined || kind === 'recovery' || incidentId === null) return alert;
  try {
    const last = await wholeIncidents.findLast(accountId, incidentId);
    return last?.provider === undefined ? alert : { ...alert, provider: last.provider };
  } catch (error) {
    logger.warn({ err: error }, 'an alert is sent without the current number of checks');
    return alert;
  }
}

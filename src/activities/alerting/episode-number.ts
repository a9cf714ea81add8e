/** Finds out whether an incident had an earlier outage, so that the alert can say that the check is down again. */
import type { AlertMessage } from '../../contracts/alerts';
import type { Incident } from '../../models/alerting/incidents';
import type { WholeIncidentStore } from '../../models/alerting/whole-incidents';
import type { Logger } from '../../platform/logger';

interface Needs {
  readonly wholeIncidents: {
    readonly findLast: (
      ...incident: Parameters<WholeIncidentStore['findLast']>
    ) => Promise<Pick<Incident, 'id' | 'earlier'> | null>;
  };
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Adds the number of the outage to the alert of a failure, if the incident had earlier outages. If the incident is not
 * stored yet, or the database is unavailable, the alert stays unchanged.
 */
export async function withEpisodeNumber(
  { wholeIncidents, logger }: Needs,
  alert: AlertMessage,
): Promise<AlertMessage> {
  const { kind, accountId, incidentId, provider } = alert;
  if (kind !== 'failure' || incidentId === null || provider !== undefined) return alert;
  try {
    const last = await wholeIncidents.findLast(accountId, incidentId);
    if (last?.id !== incidentId || last.earlier === undefined) return alert;
    return { ...alert, episode: last.earlier.count + 1 };
  } catch (error) {
    logger.warn({ err: error }, 'an alert is sent without the number of its outage');
    return alert;
  }
}

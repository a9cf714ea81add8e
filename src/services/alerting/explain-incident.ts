/** Why people were notified of an incident or not. It reads what is stored, and asks no workflow. */
import {
  type ExplainedDelivery,
  explainIncident,
  wasNotified,
} from '../../domain/alerting/explain-incident';
import { isId } from '../../domain/definitions/ids';
import { AppError } from '../../platform/errors';
import type { IncidentExplanationResponse } from '../../schemas/responses/explanations';
import { toInstant } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { explainStoredEscalation } from './explain-stored-escalation';

const DELIVERIES_MAX = 200;

/** Throws `not_found`, also for an incident of another account. */
export async function explainStoredIncident(
  needs: Pick<Dependencies, 'stores' | 'clock'>,
  accountId: string,
  id: string,
): Promise<IncidentExplanationResponse> {
  const { stores } = needs;
  const incident = isId('incident', id) ? await stores.incidents.find(accountId, id) : null;
  if (incident === null) throw new AppError('not_found', 'There is no incident with this id.');
  const { rows } = await stores.alerts.page(accountId, {
    incidentId: id,
    resourceId: null,
    status: null,
    limit: DELIVERIES_MAX,
    beforeId: null,
  });
  const deliveries: readonly ExplainedDelivery[] = rows.toReversed();
  const escalation = await explainStoredEscalation(needs, incident);
  const sentences = explainIncident({
    ...incident,
    answers: incident.silenceChanges,
    deliveries,
    ...(escalation !== null && { escalation: escalation.sentences }),
  });
  return {
    incidentId: id,
    notified: wasNotified(incident),
    escalation: escalation?.shown ?? null,
    sentences: sentences.map(({ atMs, topic, text }) => ({ at: toInstant(atMs), topic, text })),
  };
}

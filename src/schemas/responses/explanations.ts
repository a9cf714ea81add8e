/** Why people were notified of an incident or not, as /v1 answers it (docs/alerts.md). */
import { z } from 'zod';
import { EXPLANATION_TOPICS } from '../../domain/alerting/explain-incident';
import { instant, type ResponseOf } from './parts';

export const incidentExplanation = z
  .strictObject({
    incidentId: z.string(),
    notified: z.boolean().meta({
      description:
        'Whether an alert of the failure, or a flapping notice, was due; deliveries tell what became of it',
    }),
    sentences: z
      .array(z.strictObject({ at: instant, topic: z.enum(EXPLANATION_TOPICS), text: z.string() }))
      .meta({ description: 'In the order of time' }),
  })
  .meta({ id: 'IncidentExplanation' });

export type IncidentExplanationResponse = ResponseOf<typeof incidentExplanation>;

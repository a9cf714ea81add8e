/** Explanations of why people were or were not notified of an incident, as /v1 returns them (docs/alerts.md). */
import { z } from 'zod';
import { DECISION_REASONS } from '../../contracts/records';
import { MOMENT_REASONS, MOMENT_STATES } from '../../domain/alerting/explain-escalation';
import { EXPLANATION_TOPICS } from '../../domain/alerting/explain-incident';
import { instant, maybeInstant, type ResponseOf } from './parts';

export const incidentExplanation = z
  .strictObject({
    incidentId: z.string(),
    notified: z.boolean().meta({
      description:
        'Whether an alert for the failure or a flapping notice was due. Deliveries show the outcome',
    }),
    escalation: z
      .strictObject({
        policyName: z.string(),
        route: z.int().min(1).nullable().meta({
          description:
            'The route of the account that chose the policy; null: the check names the policy',
        }),
        startedAt: instant,
        notifications: z.array(
          z.strictObject({
            step: z.int().min(1),
            round: z.int().min(0).meta({
              description:
                '0 for the first notification of the step, then the number of the repetition',
            }),
            state: z.enum(MOMENT_STATES).meta({
              description: 'joined: replaced by a later notification of the same step',
            }),
            at: maybeInstant.meta({
              description: 'When it was sent, or will be sent if no one responds',
            }),
            reason: z.enum(MOMENT_REASONS).nullable(),
          }),
        ),
      })
      .nullable()
      .meta({ description: 'null: no alert policy was used' }),
    sentences: z
      .array(
        z.strictObject({
          at: instant,
          topic: z.enum(EXPLANATION_TOPICS),
          text: z.string(),
          decision: z.enum(DECISION_REASONS).nullable().meta({
            description:
              'The decision whether to notify; null: the sentence reports something else',
          }),
        }),
      )
      .meta({ description: 'In chronological order' }),
  })
  .meta({ id: 'IncidentExplanation' });

export type IncidentExplanationResponse = ResponseOf<typeof incidentExplanation>;

/** Incidents, and explanations of why people were or were not notified, as /v1 returns them (docs/incidents.md). */
import { z } from 'zod';
import { FAILURE_CODES, SIGN_IN_PROBLEMS } from '../../contracts/outcome';
import { DECISION_REASONS } from '../../contracts/records';
import { MOMENT_REASONS, MOMENT_STATES } from '../../domain/alerting/explain-escalation';
import { EXPLANATION_TOPICS } from '../../domain/alerting/explain-incident';
import { idSchema, instant, maybeInstant, pageSchema, type ResponseOf } from './parts';

const failureFields = {
  cause: z
    .strictObject({
      code: z.enum(FAILURE_CODES).describe('Failure code, as in results'),
      message: z.string().describe('One sentence for people'),
    })
    .nullable()
    .meta({
      description: 'The first failure; null if unknown',
      example: { code: 'assertion_failed', message: 'Expected status 2xx, got 503.' },
    }),
  regions: z
    .array(z.string())
    .meta({ description: 'Regions in which it failed', example: ['eu-west'] }),
  firstResultId: z.string().nullable().meta({
    description: 'Id of the first failed result; null for scenarios and identity providers',
    example: 'mon_01arz3ndektsv4rrffq69g5fav:eu-west:0ml29f9c0',
  }),
  firstRunId: z
    .string()
    .nullable()
    .describe('Id of the first failed run; null for monitors and identity providers'),
};

const episode = z
  .strictObject({
    id: idSchema('incident'),
    startedAt: instant.describe('When the failure began'),
    resolvedAt: maybeInstant.describe('When the check recovered; null: it is still down'),
    durationSeconds: z
      .number()
      .meta({ description: 'Downtime in seconds; grows until the recovery', example: 120 }),
    ...failureFields,
  })
  .meta({ id: 'IncidentEpisode', description: 'One failure of an incident, with its recovery' });

export const incident = z
  .strictObject({
    id: idSchema('incident'),
    resourceType: z.enum(['monitor', 'scenario', 'identityProvider']).meta({
      description: 'Whether a monitor, a scenario or an identity provider is down',
      example: 'monitor',
    }),
    resourceId: z.string().meta({
      description: 'Id of the monitor, scenario or identity provider',
      example: 'mon_01arz3ndektsv4rrffq69g5fav',
    }),
    resourceName: z
      .string()
      .meta({ description: 'For an identity provider: its host', example: 'Shop: home page' }),
    runbookUrl: z.string().nullable().meta({ description: 'Current value of the check' }),
    note: z.string().nullable().meta({ description: 'Current value of the check' }),
    state: z.enum(['open', 'acknowledged', 'resolved']).meta({
      description: 'acknowledged: open, and someone works on it; resolved: the failure is over',
      example: 'open',
    }),
    openedAt: instant.describe('When the first episode began'),
    closedAt: maybeInstant.describe('When the last episode ended; null: the incident is open'),
    durationSeconds: z
      .number()
      .meta({ description: 'Total downtime of all episodes', example: 120 }),
    ...failureFields,
    acknowledgedAt: maybeInstant.describe('When it was acknowledged; null: it is not'),
    acknowledgedBy: z.string().nullable().describe('Who acknowledged it; null: no one'),
    snoozedUntil: maybeInstant.describe(
      'Until when reminders and further steps wait; null: it is not snoozed, or the time is over',
    ),
    snoozedBy: z.string().nullable().describe('Who snoozed it; null: it is not snoozed'),
    snoozeReason: z
      .string()
      .nullable()
      .describe('Reason for the snooze, which may be empty; null: it is not snoozed'),
    isFlapping: z.boolean().meta({
      description:
        'true: the check goes up and down so often that alerts are held back until nothing has changed for 30 minutes',
    }),
    flappingSince: maybeInstant.meta({
      description: 'null if the check is not flapping, or if the beginning is no longer known',
    }),
    episodeCount: z.int().meta({
      description: 'At least 1. More if the check failed again soon after a recovery',
      example: 1,
    }),
    episodes: z.array(episode).meta({
      description:
        'The last 50 episodes, oldest first. The id of any episode identifies the incident',
    }),
    explainedBy: z
      .strictObject({
        resourceType: z.enum(['monitor', 'scenario']).describe('Type of the dependency'),
        resourceId: z.string().describe('Id of the dependency'),
        resourceName: z.string().describe('Name of the dependency when it failed'),
        incidentId: z
          .string()
          .nullable()
          .describe(
            'Id of the incident of the dependency; null: it had failed but was not down yet',
          ),
        at: instant.describe('When the dependency became the explanation'),
        until: maybeInstant.describe('When it stopped being the explanation; null: it still is'),
      })
      .nullable()
      .meta({
        description:
          'The dependency whose failure explains the incident, so that no alert was sent for it',
      }),
    explains: z
      .strictObject({
        count: z.int().meta({ description: 'Number of explained incidents', example: 0 }),
        incidents: z
          .array(
            z.strictObject({
              id: z.string().describe('Id of the incident'),
              resourceType: z
                .enum(['monitor', 'scenario', 'identityProvider'])
                .describe('Type of the check'),
              resourceId: z.string().describe('Id of the check'),
              resourceName: z.string().describe('Name of the check'),
            }),
          )
          .meta({ description: 'The explained incidents, at most 50', example: [] }),
      })
      .meta({ description: 'Incidents that this incident explains; the first 50 of them' }),
    identityProvider: z
      .strictObject({
        tokenUrl: z.string().meta({ description: 'Token URL without its query' }),
        problem: z.enum(SIGN_IN_PROBLEMS).meta({
          description:
            'unavailable: the provider issues no tokens; refused: it does not accept the credentials',
        }),
        reason: z.string().describe('Reason in a few words, like `503` or `401 (invalid_client)`'),
        checkCount: z.int().meta({ description: 'How many checks could not sign in' }),
        checks: z
          .array(
            z.strictObject({
              resourceType: z.enum(['monitor', 'scenario']).describe('Type of the check'),
              resourceId: z.string().describe('Id of the check'),
              resourceName: z.string().describe('Name of the check'),
            }),
          )
          .describe('Checks that could not sign in, at most 50'),
      })
      .nullable()
      .meta({
        description: 'Set if `resourceType` is `identityProvider`, with the first 50 of its checks',
      }),
    notes: z
      .array(
        z.strictObject({
          at: instant.describe('When the note was written'),
          by: z.string().describe('Who wrote it'),
          text: z.string().describe('Text of the note'),
        }),
      )
      .meta({ description: 'Notes of people, oldest first', example: [] }),
    timeline: z
      .array(
        z.strictObject({
          at: instant.describe('When it happened'),
          kind: z
            .enum([
              'opened',
              'alert',
              'acknowledged',
              'unacknowledged',
              'snoozed',
              'note',
              'recovered',
              'explained',
              'explains',
              'flapping',
            ])
            .describe('What happened'),
          text: z.string().meta({
            description: 'One sentence for people',
            example: 'Down in eu-west. Expected status 2xx, got 503.',
          }),
          channelName: z.string().nullable().meta({
            description: 'For an alert: the name of its channel, if the channel still exists',
          }),
        }),
      )
      .describe('What happened, oldest first'),
    alerts: z.array(z.string()).meta({
      description:
        'Ids of the alerts that were created for it, oldest first; at most the newest 200',
      example: ['alr_01arz3ndektsv4rrffq69g5fav'],
    }),
  })
  .meta({
    id: 'Incident',
    description:
      'If a check fails again soon after a recovery, its incident has several episodes. `id`, `openedAt`, ' +
      '`firstResultId` and `firstRunId` belong to the first; state, cause and acknowledgement to the last',
  });

export type IncidentResponse = ResponseOf<typeof incident>;

export const incidentPage = pageSchema(incident);

export const linkAcknowledgement = incident
  .pick({ id: true, state: true, acknowledgedAt: true, acknowledgedBy: true })
  .meta({ id: 'LinkAcknowledgement', description: 'Everything that the holder of a link can see' });

export type LinkAcknowledgementResponse = ResponseOf<typeof linkAcknowledgement>;

export const incidentExplanation = z
  .strictObject({
    incidentId: z
      .string()
      .meta({ description: 'Id of the incident', example: 'inc_01arz3ndektsv4rrffq69g5fav' }),
    notified: z.boolean().meta({
      description:
        'Whether an alert for the failure or a flapping notice was due. Deliveries show the outcome',
      example: true,
    }),
    escalation: z
      .strictObject({
        policyName: z.string().describe('Name of the policy when the escalation began'),
        route: z.int().min(1).nullable().meta({
          description:
            'The route of the account that chose the policy; null: the check names the policy',
        }),
        startedAt: instant.describe('When the escalation began'),
        notifications: z
          .array(
            z.strictObject({
              step: z.int().min(1).describe('Number of the step, from 1'),
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
              reason: z
                .enum(MOMENT_REASONS)
                .nullable()
                .describe(
                  'Why it waits or was skipped. over: the incident had ended; null: it was sent or is planned',
                ),
            }),
          )
          .describe('Notifications that were sent or are still planned'),
      })
      .nullable()
      .meta({ description: 'null: no alert policy was used' }),
    sentences: z
      .array(
        z.strictObject({
          at: instant.describe('When it happened'),
          topic: z.enum(EXPLANATION_TOPICS).describe('What the sentence is about'),
          text: z.string().meta({
            description: 'The sentence, for people',
            example: 'Failed in eu-west: Expected status 2xx, got 503.',
          }),
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

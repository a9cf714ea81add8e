/** Alert channels, alerts and incidents as /v1 returns them (docs/alerts.md). */
import { z } from 'zod';
import { ALERT_KINDS } from '../../contracts/alerting/alert-kinds';
import { DELIVERY_STATUSES } from '../../contracts/alerts';
import { FAILURE_CODES, SIGN_IN_PROBLEMS } from '../../contracts/outcome';
import { FIELD_KINDS, type FieldKind } from '../../notify/channels/channel';
import { CHANNEL_TYPES, CHANNELS } from '../../notify/channels/registry';
import { idSchema, instant, maybeInstant, pageSchema, type ResponseOf } from './parts';

/**
 * The type of a channel. Any text is allowed, because an older version may read a type that only a newer version knows.
 */
const channelType = z.string().meta({ enum: [...CHANNEL_TYPES] });

/** Maps each kind of channel field to its schema in responses, in which secrets are masked. */
const SHOWN = {
  text: z.string(),
  longText: z.string(),
  number: z.number(),
  switch: z.boolean(),
  choice: z.string(),
  list: z.array(z.string()),
  url: z.string(),
  secret: z.string(),
  secretUrl: z.string(),
  secretList: z.array(z.string()),
  headers: z.record(z.string(), z.string()),
  choices: z.record(z.string(), z.string()),
} as const satisfies Record<FieldKind, z.ZodType>;

/**
 * Returns the fields of all channel types. The response for a channel contains only the fields of its type, and only
 * those that are set.
 */
function fieldsOfTypes(): Readonly<Record<string, z.ZodType>> {
  const fields = CHANNELS.flatMap(({ form }) => Object.entries(form));
  const shown = fields.map(([name, { kind }]) => [name, z.optional(SHOWN[kind])] as const);
  const words = z.object({ title: z.string().optional(), text: z.string() });
  return { ...Object.fromEntries(shown), template: z.union([z.string(), words]).optional() };
}

const channelFields = {
  ...fieldsOfTypes(),
  id: idSchema('channel'),
  version: z.int(),
  name: z.string(),
  key: z.string().nullable(),
  type: channelType,
  isDefault: z.boolean(),
  onlyKinds: z.array(z.enum(ALERT_KINDS)).nullable(),
  fallback: z.string().nullable(),
  fallbackAfterMinutes: z.int(),
  lastSentAt: maybeInstant.meta({
    description: 'Time of the newest alert or test that the receiver accepted',
  }),
  failing: z.strictObject({ since: instant, count: z.int(), error: z.string() }).nullable().meta({
    description:
      'Alerts and tests that have failed since the last success; at most 100 are counted',
  }),
  createdAt: instant,
  updatedAt: instant,
};

export const alertChannel = z.strictObject(channelFields).meta({
  id: 'AlertChannel',
  description: 'The common fields, and the fields of the type. Secret values are masked',
});

export type AlertChannelResponse = ResponseOf<typeof alertChannel>;

export const newAlertChannel = z
  .strictObject({ ...channelFields, signingSecret: z.string().optional() })
  .meta({ id: 'NewAlertChannel', description: 'Only this response contains `signingSecret`' });

export type NewAlertChannelResponse = ResponseOf<typeof newAlertChannel>;

export const rotatedSigningSecret = z
  .strictObject({ signingSecret: z.string() })
  .meta({ id: 'RotatedSigningSecret', description: 'Only this response contains the secret' });

export type RotatedSigningSecretResponse = ResponseOf<typeof rotatedSigningSecret>;

export const alertChannelPage = pageSchema(alertChannel);

const sentOrFailed = z.enum(['sent', 'failed']);

const formField = z.strictObject({
  name: z.string(),
  kind: z.enum(FIELD_KINDS),
  label: z.string(),
  hint: z.string().optional(),
  placeholder: z.string().optional(),
  choices: z.array(z.string()).optional(),
  names: z.array(z.string()).optional(),
  isRequired: z.boolean(),
  isAdvanced: z.boolean().describe('true: forms hide the field until people ask for it'),
});

export const alertChannelTypes = z
  .strictObject({
    data: z.array(
      z.strictObject({
        type: channelType,
        label: z.string(),
        about: z.string(),
        fields: z.array(formField),
      }),
    ),
  })
  .meta({
    id: 'AlertChannelTypes',
    description: 'The types of channels and their fields, for forms',
  });

export type AlertChannelTypesResponse = ResponseOf<typeof alertChannelTypes>;

export const alertPreview = z
  .strictObject({ title: z.string().nullable(), text: z.string(), fault: z.string().nullable() })
  .meta({ id: 'AlertPreview', description: '`fault`: why the default text would be sent instead' });

export type AlertPreviewResponse = ResponseOf<typeof alertPreview>;

export const channelTest = z
  .strictObject({
    status: sentOrFailed,
    deliveries: z.array(
      z.strictObject({ recipient: z.string(), status: sentOrFailed, detail: z.string() }),
    ),
  })
  .meta({ id: 'ChannelTest' });

export type ChannelTestResponse = ResponseOf<typeof channelTest>;

const alert = z
  .strictObject({
    id: idSchema('alert'),
    incidentId: z.string().nullable(),
    kind: z.enum(ALERT_KINDS),
    channelId: z.string().nullable(),
    channelType: channelType,
    recipient: z.string(),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.array(z.strictObject({ at: instant, outcome: sentOrFailed, detail: z.string() })),
    createdAt: instant,
    sentAt: maybeInstant,
  })
  .meta({ id: 'Alert', description: 'One alert to one recipient' });

export type AlertResponse = ResponseOf<typeof alert>;

export const alertPage = pageSchema(alert);

const failureFields = {
  cause: z.strictObject({ code: z.enum(FAILURE_CODES), message: z.string() }).nullable(),
  regions: z.array(z.string()),
  firstResultId: z.string().nullable(),
  firstRunId: z.string().nullable(),
};

const episode = z
  .strictObject({
    id: idSchema('incident'),
    startedAt: instant,
    resolvedAt: maybeInstant,
    durationSeconds: z.number(),
    ...failureFields,
  })
  .meta({ id: 'IncidentEpisode', description: 'One failure of an incident, with its recovery' });

export const incident = z
  .strictObject({
    id: idSchema('incident'),
    resourceType: z.enum(['monitor', 'scenario', 'identityProvider']),
    resourceId: z.string(),
    resourceName: z.string().meta({ description: 'For an identity provider: its host' }),
    runbookUrl: z.string().nullable().meta({ description: 'Current value of the check' }),
    note: z.string().nullable().meta({ description: 'Current value of the check' }),
    state: z.enum(['open', 'acknowledged', 'resolved']),
    openedAt: instant,
    closedAt: maybeInstant,
    durationSeconds: z.number().meta({ description: 'Total downtime of all episodes' }),
    ...failureFields,
    acknowledgedAt: maybeInstant,
    acknowledgedBy: z.string().nullable(),
    snoozedUntil: maybeInstant,
    snoozedBy: z.string().nullable(),
    snoozeReason: z.string().nullable(),
    isFlapping: z.boolean().meta({
      description:
        'true: the check goes up and down so often that alerts are held back until nothing has changed for 30 minutes',
    }),
    flappingSince: maybeInstant.meta({
      description: 'null if the check is not flapping, or if the beginning is no longer known',
    }),
    episodeCount: z
      .int()
      .meta({ description: 'At least 1. More if the check failed again soon after a recovery' }),
    episodes: z.array(episode).meta({
      description:
        'The last 50 episodes, oldest first. The id of any episode identifies the incident',
    }),
    explainedBy: z
      .strictObject({
        resourceType: z.enum(['monitor', 'scenario']),
        resourceId: z.string(),
        resourceName: z.string(),
        incidentId: z.string().nullable(),
        at: instant,
        until: maybeInstant,
      })
      .nullable()
      .meta({
        description:
          'The dependency whose failure explains the incident, so that no alert was sent for it',
      }),
    explains: z
      .strictObject({
        count: z.int(),
        incidents: z.array(
          z.strictObject({
            id: z.string(),
            resourceType: z.enum(['monitor', 'scenario', 'identityProvider']),
            resourceId: z.string(),
            resourceName: z.string(),
          }),
        ),
      })
      .meta({ description: 'Incidents that this incident explains; the first 50 of them' }),
    identityProvider: z
      .strictObject({
        tokenUrl: z.string().meta({ description: 'Token URL without its query' }),
        problem: z.enum(SIGN_IN_PROBLEMS).meta({
          description:
            'unavailable: the provider issues no tokens; refused: it does not accept the credentials',
        }),
        reason: z.string(),
        checkCount: z.int().meta({ description: 'How many checks could not sign in' }),
        checks: z.array(
          z.strictObject({
            resourceType: z.enum(['monitor', 'scenario']),
            resourceId: z.string(),
            resourceName: z.string(),
          }),
        ),
      })
      .nullable()
      .meta({
        description: 'Set if `resourceType` is `identityProvider`, with the first 50 of its checks',
      }),
    notes: z.array(z.strictObject({ at: instant, by: z.string(), text: z.string() })),
    timeline: z.array(
      z.strictObject({
        at: instant,
        kind: z.enum([
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
        ]),
        text: z.string(),
        channelName: z.string().nullable().meta({
          description: 'For an alert: the name of its channel, if the channel still exists',
        }),
      }),
    ),
    alerts: z.array(z.string()),
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

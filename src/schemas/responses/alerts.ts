/** Alert channels, alerts and incidents as /v1 answers them (docs/alerts.md). */
import { z } from 'zod';
import { ALERT_KINDS, CHANNEL_TYPES, DELIVERY_STATUSES } from '../../contracts/alerts';
import { FAILURE_CODES } from '../../contracts/outcome';
import { idOf, instant, maybeInstant, pageOf, type ResponseOf } from './parts';

const channelFields = {
  id: idOf('channel'),
  version: z.int(),
  name: z.string(),
  key: z.string().nullable(),
  type: z.enum(CHANNEL_TYPES),
  isDefault: z.boolean(),
  emails: z.array(z.string()).optional(),
  webhookUrl: z.string().optional(),
  url: z.string().optional(),
  createdAt: instant,
  updatedAt: instant,
};

export const alertChannel = z.strictObject(channelFields).meta({
  id: 'AlertChannel',
  description: 'Addresses of Slack and webhooks come back masked',
});

export type AlertChannelResponse = ResponseOf<typeof alertChannel>;

export const newAlertChannel = z
  .strictObject({ ...channelFields, signingSecret: z.string().optional() })
  .meta({ id: 'NewAlertChannel', description: '`signingSecret` is in this one answer only' });

export type NewAlertChannelResponse = ResponseOf<typeof newAlertChannel>;

export const alertChannelPage = pageOf(alertChannel);

const sentOrFailed = z.enum(['sent', 'failed']);

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
    id: idOf('alert'),
    incidentId: z.string().nullable(),
    kind: z.enum(ALERT_KINDS),
    channelId: z.string().nullable(),
    channelType: z.enum(CHANNEL_TYPES),
    recipient: z.string(),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.array(z.strictObject({ at: instant, outcome: sentOrFailed, detail: z.string() })),
    createdAt: instant,
    sentAt: maybeInstant,
  })
  .meta({ id: 'Alert', description: 'One alert at one place' });

export type AlertResponse = ResponseOf<typeof alert>;

export const alertPage = pageOf(alert);

export const incident = z
  .strictObject({
    id: idOf('incident'),
    resourceType: z.enum(['monitor', 'scenario']),
    resourceId: z.string(),
    resourceName: z.string(),
    state: z.enum(['open', 'closed']),
    openedAt: instant,
    closedAt: maybeInstant,
    durationSeconds: z.number(),
    cause: z.strictObject({ code: z.enum(FAILURE_CODES), message: z.string() }).nullable(),
    regions: z.array(z.string()),
    firstResultId: z.string().nullable(),
    firstRunId: z.string().nullable(),
    acknowledgedAt: maybeInstant,
    acknowledgedBy: z.string().nullable(),
    notes: z.array(z.strictObject({ at: instant, by: z.string(), text: z.string() })),
    timeline: z.array(
      z.strictObject({
        at: instant,
        kind: z.enum(['opened', 'alert', 'acknowledged', 'note', 'recovered']),
        text: z.string(),
      }),
    ),
    alerts: z.array(z.string()),
  })
  .meta({ id: 'Incident' });

export type IncidentResponse = ResponseOf<typeof incident>;

export const incidentPage = pageOf(incident);

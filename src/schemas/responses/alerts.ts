/** Alert channels and alerts as /v1 returns them (docs/alerts.md). */
import { z } from 'zod';
import { ALERT_KINDS } from '../../contracts/alerting/alert-kinds';
import { DELIVERY_STATUSES } from '../../contracts/alerts';
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
  const fields = CHANNELS.flatMap(({ type, form }) =>
    Object.entries(form).map(([name, { kind, label }]) => ({ type, name, kind, label })),
  );
  const shown = fields.map(({ name, kind }) => {
    const own = fields.filter((field) => field.name === name);
    const labels = [...new Set(own.map(({ label }) => label))].join(' or ');
    const types = own.map(({ type }) => type).join(', ');
    return [name, z.optional(SHOWN[kind]).describe(`${labels}. Only for ${types}`)] as const;
  });
  const words = z.object({ title: z.string().optional(), text: z.string() });
  const template = z
    .union([z.string(), words])
    .optional()
    .describe('Template that replaces the default message; absent: none');
  return { ...Object.fromEntries(shown), template };
}

const channelFields = {
  ...fieldsOfTypes(),
  id: idSchema('channel'),
  version: z.int().meta({
    description: 'Grows with each change. The `ETag` contains it, and `If-Match` compares it',
    example: 1,
  }),
  name: z.string().meta({ example: 'On call' }),
  key: z.string().nullable().meta({ example: 'on-call' }),
  type: channelType.meta({ example: 'slack' }),
  isDefault: z.boolean().meta({
    description: 'true: rules that name `default` or the type use this channel',
    example: true,
  }),
  onlyKinds: z
    .array(z.enum(ALERT_KINDS))
    .nullable()
    .describe('Kinds of alerts that the channel gets; null: all'),
  fallback: z
    .string()
    .nullable()
    .describe(
      'Key of the channel that gets an alert if this channel has not accepted it, or its id if it has no key; null: none',
    ),
  fallbackAfterMinutes: z.int().meta({
    description: 'Minutes to wait for this channel before the fallback gets the alert',
    example: 15,
  }),
  lastSentAt: maybeInstant.meta({
    description: 'Time of the newest alert or test that the receiver accepted',
  }),
  failing: z
    .strictObject({
      since: instant.describe('Time of the first failure since the last success'),
      count: z.int().describe('Number of failures since the last success, at most 100'),
      error: z.string().describe('Why the last one failed'),
    })
    .nullable()
    .meta({
      description:
        'Alerts and tests that have failed since the last success; at most 100 are counted',
    }),
  createdAt: instant.describe('When the channel was created'),
  updatedAt: instant.describe('When the channel was last changed'),
};

export const alertChannel = z.strictObject(channelFields).meta({
  id: 'AlertChannel',
  description: 'The common fields, and the fields of the type. Secret values are masked',
});

export type AlertChannelResponse = ResponseOf<typeof alertChannel>;

export const newAlertChannel = z
  .strictObject({
    ...channelFields,
    signingSecret: z
      .string()
      .optional()
      .describe('Secret with which requests of a webhook are signed; absent for other types'),
  })
  .meta({ id: 'NewAlertChannel', description: 'Only this response contains `signingSecret`' });

export type NewAlertChannelResponse = ResponseOf<typeof newAlertChannel>;

export const rotatedSigningSecret = z
  .strictObject({
    signingSecret: z.string().meta({
      description: 'The new secret with which requests of the webhook are signed',
      example: 'SIGNING_SECRET',
    }),
  })
  .meta({ id: 'RotatedSigningSecret', description: 'Only this response contains the secret' });

export type RotatedSigningSecretResponse = ResponseOf<typeof rotatedSigningSecret>;

export const alertChannelPage = pageSchema(alertChannel);

const sentOrFailed = z.enum(['sent', 'failed']);

const formField = z.strictObject({
  name: z.string().meta({ description: 'Name of the field in the body', example: 'webhookUrl' }),
  kind: z.enum(FIELD_KINDS).meta({ description: 'Kind of input', example: 'secretUrl' }),
  label: z.string().meta({ description: 'Label of the input', example: 'Webhook URL' }),
  hint: z.string().optional().describe('Help text below the input'),
  placeholder: z.string().optional().describe('Example of a value'),
  choices: z.array(z.string()).optional().describe('Values to choose from'),
  names: z
    .array(z.string())
    .optional()
    .describe('For the kind `choices`: the names for which a value is chosen'),
  isRequired: z.boolean().meta({ description: 'Whether the field must be set', example: true }),
  isAdvanced: z.boolean().describe('true: forms hide the field until people ask for it'),
});

export const alertChannelTypes = z
  .strictObject({
    data: z
      .array(
        z.strictObject({
          type: channelType.describe('Value of `type` in the body'),
          label: z.string().meta({ description: 'Name of the type for people', example: 'Slack' }),
          about: z.string().meta({
            description: 'What the type sends, in one sentence',
            example: 'Messages in a channel of Slack',
          }),
          fields: z.array(formField).describe('Fields of the type'),
        }),
      )
      .describe('One entry per type'),
  })
  .meta({
    id: 'AlertChannelTypes',
    description: 'The types of channels and their fields, for forms',
  });

export type AlertChannelTypesResponse = ResponseOf<typeof alertChannelTypes>;

export const alertPreview = z
  .strictObject({
    title: z.string().nullable().meta({
      description: 'Title of the message; null: the type has none',
      example: 'Shop: home page is down',
    }),
    text: z.string().meta({
      description: 'Text or body of the message',
      example: 'Expected status 2xx, got 503.',
    }),
    fault: z
      .string()
      .nullable()
      .describe('Why the template cannot be used, so that the default text is sent; null: it can'),
  })
  .meta({ id: 'AlertPreview', description: '`fault`: why the default text would be sent instead' });

export type AlertPreviewResponse = ResponseOf<typeof alertPreview>;

export const channelTest = z
  .strictObject({
    status: sentOrFailed.meta({
      description: 'sent: every recipient accepted the test',
      example: 'sent',
    }),
    deliveries: z
      .array(
        z.strictObject({
          recipient: z.string().meta({ description: 'The recipient, masked', example: 'On call' }),
          status: sentOrFailed.meta({
            description: 'Whether the recipient accepted the test',
            example: 'sent',
          }),
          detail: z.string().meta({
            description: 'Response of the receiver, or why it failed',
            example: 'HTTP 200',
          }),
        }),
      )
      .describe('One entry per recipient'),
  })
  .meta({ id: 'ChannelTest' });

export type ChannelTestResponse = ResponseOf<typeof channelTest>;

const alert = z
  .strictObject({
    id: idSchema('alert'),
    incidentId: z.string().nullable().meta({
      description: 'Id of the incident or of one of its episodes; null: the alert belongs to none',
      example: 'inc_01arz3ndektsv4rrffq69g5fav',
    }),
    kind: z.enum(ALERT_KINDS).meta({ description: 'What the alert reports', example: 'failure' }),
    channelId: z.string().nullable().meta({
      description: 'Id of the channel; null: the recipient is named by the check, or is a person',
      example: 'chn_01arz3ndektsv4rrffq69g5fav',
    }),
    channelType: channelType.meta({ description: 'Type of the channel', example: 'slack' }),
    recipient: z.string().meta({ description: 'Who gets it, masked', example: 'On call' }),
    status: z.enum(DELIVERY_STATUSES).meta({
      description:
        'pending: not delivered yet; failed: given up; suppressed: not sent, because it was part of a digest or no longer true',
      example: 'sent',
    }),
    attempts: z
      .array(
        z.strictObject({
          at: instant.describe('Time of the attempt'),
          outcome: sentOrFailed.describe('Whether the receiver accepted it'),
          detail: z.string().meta({
            description: 'Response of the receiver, or why the attempt failed',
            example: 'HTTP 200',
          }),
        }),
      )
      .describe('Attempts to deliver it, oldest first'),
    createdAt: instant.describe('When the alert was created'),
    sentAt: maybeInstant.meta({
      description: 'When the receiver accepted it; null: not yet, or never',
      example: '2026-01-31T12:00:01.000Z',
    }),
  })
  .meta({ id: 'Alert', description: 'One alert to one recipient' });

export type AlertResponse = ResponseOf<typeof alert>;

export const alertPage = pageSchema(alert);

/** The schemas of `alerts` in monitors and scenarios, and of alert channels (docs/alerts.md). */
import { z } from 'zod';
import { ALERT_KINDS, CHOSEN_KINDS } from '../contracts/alerting/alert-kinds';
import type { Guidance } from '../contracts/definition';
import { DEFAULT_CHANNELS } from '../domain/alerting/select-channels';
import type { Channel } from '../notify/channels/channel';
import { emailsField } from '../notify/channels/email';
import { CHANNEL_TYPES, CHANNELS, findChannel } from '../notify/channels/registry';
import { bodyTemplate, wordsTemplate } from '../notify/channels/template-fields';
import { KEY_PATTERN, keyField, lineField, nameField } from './fields';
import type { CheckedShape, ShapeProblem } from './issues';

const CHANNELS_MAX = 20;

const WORDS: readonly string[] = [DEFAULT_CHANNELS, ...CHANNEL_TYPES];

/** True if the reference is a word that means default channels. */
export function isChannelWord(reference: string): boolean {
  return WORDS.includes(reference);
}

const channelReference = z.union([
  z.enum([DEFAULT_CHANNELS, ...CHANNEL_TYPES]),
  z
    .string()
    .regex(/^chn_[0-9a-z]{26}$/, 'must be default, a type of channel or the id of a channel'),
]);

const alertFields = {
  channels: z
    .array(channelReference)
    .max(CHANNELS_MAX)
    .meta({
      description:
        'Ids of channels, `default` for all default channels of the account, or a type for its default channel',
    })
    .transform((channels) => [...new Set(channels)])
    .default([DEFAULT_CHANNELS]),
  emails: emailsField.meta({ description: 'Additional email addresses to notify' }).default([]),
  onFailure: z.boolean().meta({ description: 'Notify when the check goes down' }).default(true),
  onRecovery: z.boolean().meta({ description: 'Notify when the check is up again' }).default(true),
  onDegraded: z
    .boolean()
    .meta({ description: 'Notify when the check becomes degraded' })
    .default(false),
  remindEveryMinutes: z
    .int()
    .min(5)
    .max(10_080)
    .nullable()
    .meta({ description: 'Minutes between reminders while the check is down; null: no reminders' })
    .default(null),
  policy: z
    .string()
    .regex(KEY_PATTERN, 'must be the key of an alert policy')
    .nullable()
    .meta({ description: 'Key of the alert policy for failures, instead of `channels`' })
    .default(null),
};

export const alertsField = z
  .strictObject(alertFields)
  .meta({ description: 'Which alerts are sent, and to whom' })
  .prefault({});

export type Alerts = z.output<typeof alertsField>;

const RUNBOOK_URL_MAX = 2_048;
const NOTE_MAX = 2_000;

function isRunbookUrl(text: string): boolean {
  if (!/^https?:\/\/[^/\\?#]/i.test(text) || /[\s\p{Cc}\p{Cf}]/u.test(text)) return false;
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

/** The fields for guidance. An empty string counts as absent, because forms send empty strings. */
export const guidanceFields = {
  runbookUrl: z
    .string()
    .trim()
    .max(RUNBOOK_URL_MAX)
    .refine(
      (text) => text === '' || isRunbookUrl(text),
      'must be a URL like https://wiki.example.com/checkout, without spaces, user name or password',
    )
    .nullable()
    .meta({ description: 'http or https URL of instructions for a failure. Alerts link to it' })
    .transform((text) => (text === '' ? null : text))
    .default(null),
  note: z
    .string()
    .trim()
    .max(NOTE_MAX)
    .nullable()
    .meta({ description: 'Plain text for the people who are alerted; alerts show its first lines' })
    .transform((text) => (text === '' ? null : text))
    .default(null),
} satisfies Record<keyof Guidance, z.ZodType>;

/**
 * The key of a channel. It must not equal a word for default channels, because rules could never refer to such a key.
 */
const channelKeyField = keyField.refine(
  (key) => key === null || !isChannelWord(key),
  'must not be default or a type of channel',
);

const onlyKinds = z
  .array(z.enum(CHOSEN_KINDS))
  .min(1)
  .max(CHOSEN_KINDS.length)
  .meta({ uniqueItems: true, description: 'Kinds of alerts that the channel gets; null: all' })
  .refine((kinds) => new Set(kinds).size === kinds.length, 'must not contain a kind twice');
const fallback = z
  .string()
  .regex(/^(?:chn_[0-9a-z]{26}|[a-z0-9][a-z0-9._-]{0,99})$/, 'must be the key or id of a channel')
  .meta({
    description: 'Key or id of the channel that gets an alert if this channel has not accepted it',
  });
const fallbackAfterMinutes = z.int().min(10).max(1_440).meta({
  description: 'Minutes to wait for this channel before the fallback gets the alert',
});
const isDefault = z
  .boolean()
  .meta({
    description:
      'true: the default channel of its type. If absent on creation: true for the first channel of the account, otherwise false',
  })
  .optional();

export const FALLBACK_AFTER_MINUTES = 15;

const common = {
  name: nameField,
  key: channelKeyField,
  isDefault,
  onlyKinds: onlyKinds
    .nullable()
    .describe('Kinds of alerts that the channel gets; null: all')
    .default(null),
  fallback: fallback
    .nullable()
    .describe(
      'Key or id of the channel that gets an alert if this channel has not accepted it; null: none',
    )
    .default(null),
  fallbackAfterMinutes: fallbackAfterMinutes.default(FALLBACK_AFTER_MINUTES),
};

function bodyShape({ type, fields, form, hasBodyTemplate, about }: Channel) {
  const described = Object.entries(fields).map(([name, field]) => {
    const { label = name, hint } = form[name] ?? {};
    const description = hint === undefined ? label : `${label}. ${hint.replace(/\.$/, '')}`;
    return [name, field instanceof z.ZodType ? field.meta({ description }) : field] as const;
  });
  const own: z.ZodRawShape = {
    ...(hasBodyTemplate
      ? {}
      : {
          template: wordsTemplate
            .nullish()
            .meta({ description: 'Template that replaces the default message' }),
        }),
    ...Object.fromEntries(described),
  };
  return z.strictObject({ ...own, ...common, type: z.literal(type).meta({ description: about }) });
}

const [firstChannel, ...otherChannels] = CHANNELS;

/** A whole channel, as POST accepts it. Each type has its own fields. */
export const alertChannelShape = z.discriminatedUnion('type', [
  bodyShape(firstChannel),
  ...otherChannels.map(bodyShape),
]);

export type AlertChannelBody = z.output<typeof alertChannelShape>;

/** Validates the body, and also the rules that involve several fields of a type. */
export const alertChannelBody: CheckedShape<typeof alertChannelShape> = {
  shape: alertChannelShape,
  findProblems: (body) => {
    const config: Readonly<Record<string, unknown>> =
      typeof body === 'object' && body !== null ? { ...body } : {};
    const channel = findChannel(String(config['type']));
    const faults = channel?.findProblems(config) ?? [];
    return faults.map((fault): ShapeProblem => ({ ...fault, code: 'invalid_value' }));
  },
};

/** The fields of a merge patch for a channel of any type, for the API reference. */
export const alertChannelPatch = z.strictObject({
  type: z.enum(CHANNEL_TYPES).optional().describe('Type of the channel'),
  name: nameField.optional(),
  key: channelKeyField.nullish(),
  isDefault,
  onlyKinds: onlyKinds.nullish(),
  fallback: fallback.nullish(),
  fallbackAfterMinutes: fallbackAfterMinutes.nullish(),
  ...patchFields(),
});

/**
 * Returns the fields of all types. If several types have a field, the field accepts every value that one of these types
 * accepts.
 */
function patchFields(): Readonly<Record<string, z.ZodType>> {
  const shapes = new Map<string, z.core.$ZodType[]>();
  for (const { fields } of CHANNELS)
    for (const [name, shape] of Object.entries(fields)) {
      const known = shapes.get(name) ?? [];
      if (!known.includes(shape)) shapes.set(name, [...known, shape]);
    }
  shapes.set('template', [bodyTemplate, wordsTemplate]);
  return Object.fromEntries(
    [...shapes].map(([name, [first = z.unknown(), ...others]]) => [
      name,
      z.nullish(others.length === 0 ? first : z.union([first, ...others])),
    ]),
  );
}

const previewKind = z.enum(ALERT_KINDS).default('failure');
const anyTemplate = z.union([bodyTemplate, wordsTemplate]);

/** The body that previews a template before it is saved. */
export const previewBody = z.strictObject({
  type: z.enum(CHANNEL_TYPES).describe('Type of the channel'),
  template: anyTemplate.describe('Template to preview'),
  kind: previewKind.describe('Kind of the alert to preview'),
  contentType: z
    .string()
    .max(200)
    .optional()
    .describe('Content type of the body, for a webhook with a template'),
});

/** The body that previews a stored channel. If it contains no template, the channel's own template is used. */
export const channelPreviewBody = z.strictObject({
  template: anyTemplate.optional().describe('Template to preview; absent: the saved one'),
  kind: previewKind.describe('Kind of the alert to preview'),
});

export const incidentNoteBody = z.strictObject({
  text: z.string().trim().min(1).max(2_000).describe('Text of the note'),
});

export const acknowledgeBody = z.strictObject({
  note: z
    .string()
    .trim()
    .min(1)
    .max(2_000)
    .optional()
    .describe('Note that is added to the incident'),
});

/** The body with the token of an alert's link. */
export const acknowledgeLinkBody = z.strictObject({
  token: z.string().min(1).max(2_000).describe('Token of the link in the alert'),
});

/** The body of a snooze, which lasts at most a week. */
export const snoozeBody = z.strictObject({
  minutes: z
    .int()
    .min(5)
    .max(10_080)
    .describe('Minutes until reminders and further steps continue'),
  reason: lineField.max(500).default('').describe('Reason, which the timeline shows'),
});

/** Who hears of what: the `alerts` of monitors and scenarios, and alert channels (docs/alerts.md). */
import { z } from 'zod';
import { CHANNEL_TYPES } from '../contracts/alerts';
import { keyField, nameField } from './fields';
import { ignoringReadOnly } from './read-only';

const EMAILS_MAX = 20;
const CHANNELS_MAX = 20;

/** One addr-spec, without a name and without a second one behind it. */
const emailField = z.email().max(254);

const emailsField = z
  .array(emailField)
  .max(EMAILS_MAX)
  .transform((emails) => [...new Set(emails)]);

const channelReference = z.union([
  z.enum(CHANNEL_TYPES),
  z.string().regex(/^chn_[0-9a-z]{26}$/, 'must be email, slack, webhook or the id of a channel'),
]);

const alertFields = {
  channels: z
    .array(channelReference)
    .max(CHANNELS_MAX)
    .transform((channels) => [...new Set(channels)])
    .default([...CHANNEL_TYPES]),
  emails: emailsField.default([]),
  onFailure: z.boolean().default(true),
  onRecovery: z.boolean().default(true),
  onDegraded: z.boolean().default(false),
  remindEveryMinutes: z.int().min(5).max(10_080).nullable().default(null),
};

export const alertsField = z.strictObject(alertFields).prefault({});

export type Alerts = z.output<typeof alertsField>;

const httpAddress = z
  .string()
  .max(2048)
  .refine(isHttpAddress, 'must be an http(s) URL without user name and password');

function isHttpAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** A key that is a word for a type would never be reached by its name. */
const channelKeyField = keyField.refine(
  (key) => !CHANNEL_TYPES.some((type) => type === key),
  'must not be email, slack or webhook',
);

const common = { name: nameField, key: channelKeyField, isDefault: z.boolean().optional() };

/** A whole channel, as POST takes it. */
export const alertChannelBody = z.discriminatedUnion('type', [
  z.strictObject({
    ...common,
    type: z.literal('email'),
    emails: emailsField.pipe(z.array(z.string()).min(1)),
  }),
  z.strictObject({ ...common, type: z.literal('slack'), webhookUrl: httpAddress }),
  z.strictObject({ ...common, type: z.literal('webhook'), url: httpAddress }),
]);

export type AlertChannelBody = z.output<typeof alertChannelBody>;

const changeShape = z.strictObject({
  type: z.enum(CHANNEL_TYPES).optional(),
  name: nameField.optional(),
  key: channelKeyField.removeDefault().optional(),
  isDefault: z.boolean().optional(),
  emails: emailsField.pipe(z.array(z.string()).min(1)).optional(),
  webhookUrl: httpAddress.optional(),
  url: httpAddress.optional(),
});

/** What PATCH takes, the answer of GET included; the type of a channel never changes. */
export const alertChannelChange = ignoringReadOnly(changeShape, [
  'id',
  'version',
  'createdAt',
  'updatedAt',
]);

export type AlertChannelChange = z.output<typeof alertChannelChange>;

export const incidentNoteBody = z.strictObject({ text: z.string().trim().min(1).max(2_000) });

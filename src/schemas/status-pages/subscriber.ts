/** Bodies and queries of status page subscribers, and a page's settings for subscribers. */
import { z } from 'zod';
import {
  LETTER_STATUSES,
  NO_SUBSCRIBERS,
  SUBSCRIBER_STATES,
  SUBSCRIBER_TYPES,
} from '../../contracts/letters/letters';
import { idFilter, pageQuery } from '../queries';
import { fileFormat } from '../results/result-queries';

const URL_MAX = 2_048;
/** How many items a subscriber may choose, which is the maximum number of items on a page. */
const ITEMS_MAX = 100;

/** The settings for subscribers of a status page. */
export const subscriberSettingsField = z
  .strictObject({
    mail: z.boolean().default(NO_SUBSCRIBERS.mail).describe('true: people may subscribe by email'),
    webhook: z
      .boolean()
      .default(NO_SUBSCRIBERS.webhook)
      .describe('true: people may subscribe with a webhook'),
    slack: z
      .boolean()
      .default(NO_SUBSCRIBERS.slack)
      .describe('true: people may subscribe with an incoming webhook of Slack'),
  })
  .prefault({})
  .meta({
    description:
      'Ways in which people may subscribe to the page. Nothing is sent in a way that is off',
  });

const mailField = z
  .email()
  .max(254)
  .transform((email) => email.toLowerCase());

const urlField = z
  .string()
  .max(URL_MAX)
  .refine(isPublicUrl, 'must be an https URL without user name and password');

const slackField = urlField.refine(
  (url) => /^https:\/\/hooks\.slack(?:-gov)?\.com\//.test(url),
  'must begin with https://hooks.slack.com/',
);

function isPublicUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return protocol === 'https:' && username === '' && password === '';
}

/** The schemas of `to`, by the type of subscriber. */
export const RECIPIENT_FIELDS = { mail: mailField, webhook: urlField, slack: slackField } as const;

const itemsField = z
  .array(z.string().max(100))
  .min(1)
  .max(ITEMS_MAX)
  .transform((ids) => [...new Set(ids)])
  .nullable()
  .default(null)
  .meta({ description: 'Ids of items of the page; null: the whole page' });

export const subscriberBody = z
  .strictObject({
    type: z.enum(SUBSCRIBER_TYPES).describe('How notices are sent'),
    to: z.string().min(1).max(URL_MAX).meta({
      description: 'An email address, an https URL, or an incoming webhook URL of Slack',
    }),
    items: itemsField,
    confirmed: z.boolean().default(false).meta({
      description:
        'true: the person has agreed already, so no mail asks for confirmation. Webhooks and Slack need no confirmation',
    }),
  })
  .transform((body, context) => {
    const read = RECIPIENT_FIELDS[body.type].safeParse(body.to);
    if (read.success) return { ...body, to: read.data };
    for (const { message } of read.error.issues)
      context.addIssue({ code: 'custom', path: ['to'], message });
    return z.NEVER;
  });
export type SubscriberBody = z.output<typeof subscriberBody>;

const filters = {
  state: z.enum(SUBSCRIBER_STATES).optional().meta({ description: 'Only this state' }),
  type: z.enum(SUBSCRIBER_TYPES).optional().meta({ description: 'Only this type' }),
  to: z
    .string()
    .min(1)
    .max(URL_MAX)
    .optional()
    .meta({ description: 'Only this recipient: the complete email address or URL' }),
};

export const subscriberQuery = z.strictObject({ ...pageQuery.shape, ...filters });
export type SubscriberQuery = z.output<typeof subscriberQuery>;

export const subscriberFileQuery = z.strictObject({
  ...filters,
  ...fileFormat,
});
export type SubscriberFileQuery = z.output<typeof subscriberFileQuery>;

export const noticeQuery = z.strictObject({
  ...pageQuery.shape,
  postId: idFilter('Only notices about this post'),
});
export type NoticeQuery = z.output<typeof noticeQuery>;

export const letterQuery = z.strictObject({
  ...pageQuery.shape,
  noticeId: idFilter('Only messages of this notice'),
  subscriberId: idFilter('Only messages to this subscriber'),
  status: z.enum(LETTER_STATUSES).optional().meta({ description: 'Only this status' }),
});
export type LetterQuery = z.output<typeof letterQuery>;

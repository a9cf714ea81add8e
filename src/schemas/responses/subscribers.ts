/** Subscribers of status pages, their notices and letters as /v1 returns them. */
import { z } from 'zod';
import {
  LETTER_STATUSES,
  NOTICE_KINDS,
  NOTICE_STATES,
  SUBSCRIBER_STATES,
  SUBSCRIBER_TYPES,
} from '../../contracts/letters/letters';
import { idSchema, instant, maybeInstant, pageSchema, type ResponseOf } from './parts';

export const subscriber = z
  .strictObject({
    id: idSchema('subscriber'),
    type: z.enum(SUBSCRIBER_TYPES).describe('How notices are sent'),
    to: z.string().meta({
      description: 'Masked for callers without the scope write',
      example: 'a…@example.com',
    }),
    items: z.array(z.string()).nullable().meta({ description: 'null: the whole page' }),
    state: z.enum(SUBSCRIBER_STATES).meta({
      description:
        'resting: refused three letters in a row; nothing is sent until the subscriber is resumed',
    }),
    bounces: z.int().min(0).meta({ description: 'Refusals in a row' }),
    addedBy: z.string().nullable().meta({ description: 'null: signed up on the page' }),
    createdAt: instant.describe('When the subscription was requested'),
    confirmedAt: maybeInstant.describe('When it was confirmed; null: it is not'),
  })
  .meta({ id: 'Subscriber' });

export type SubscriberResponse = ResponseOf<typeof subscriber>;

const count = z.int().min(0);

export const subscriberPage = pageSchema(subscriber).extend({
  counts: z
    .strictObject({
      active: count.meta({ description: 'Subscribers that get notices', example: 12 }),
      resting: count.describe('Subscribers that refused too many letters in a row'),
      unconfirmed: count.describe('Subscribers that have not confirmed yet'),
    })
    .meta({ description: 'Numbers for the whole page, regardless of filters' }),
});

export type SubscriberList = ResponseOf<typeof subscriberPage>;

const notice = z
  .strictObject({
    id: idSchema('notice'),
    postId: idSchema('post'),
    title: z
      .string()
      .nullable()
      .meta({ description: 'Title of the post; null: the post was deleted' }),
    kind: z
      .enum(NOTICE_KINDS)
      .describe('update: an update was published; post_mortem: a post-mortem was published'),
    updateId: z.string().nullable().describe('Id of the update; null for a post-mortem'),
    state: z.enum(NOTICE_STATES).meta({
      description:
        'stopped: the post, its update or the page was deleted before all letters were sent',
    }),
    publishedAt: instant.describe('When the update or post-mortem was published'),
    endedAt: maybeInstant.describe('When sending ended; null: not yet'),
    letters: z
      .strictObject({
        pending: count.describe('Not sent yet'),
        sent: count.meta({ description: 'Accepted by the receiver', example: 12 }),
        failed: count.describe('Given up'),
        resting: count.describe('Not sent, because the subscriber was resting'),
        stopped: count.describe(
          'Not sent, because the post was withdrawn, the subscription ended, or settings no longer allow it',
        ),
      })
      .describe('Number of letters by status'),
  })
  .meta({ id: 'StatusPageNotice' });

export type NoticeResponse = ResponseOf<typeof notice>;

export const noticePage = pageSchema(notice);

const letter = z
  .strictObject({
    id: idSchema('letter'),
    noticeId: idSchema('notice'),
    subscriberId: idSchema('subscriber'),
    type: z.enum(SUBSCRIBER_TYPES).describe('How it is sent'),
    to: z.string().meta({ description: 'Masked', example: 'a…@example.com' }),
    status: z
      .enum(LETTER_STATUSES)
      .describe(
        'resting: the subscriber was resting; stopped: the post was withdrawn, the subscription ended, or settings no longer allow it',
      ),
    tries: count.meta({ description: 'Number of tries so far', example: 1 }),
    detail: z.string().nullable().meta({ description: 'Outcome of the last try' }),
    createdAt: instant.describe('When the letter was created'),
    sentAt: maybeInstant.describe('When the receiver accepted it; null: not yet, or never'),
  })
  .meta({ id: 'StatusPageLetter' });

export type LetterResponse = ResponseOf<typeof letter>;

export const letterPage = pageSchema(letter);

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
    type: z.enum(SUBSCRIBER_TYPES),
    to: z.string().meta({ description: 'Masked for callers without the scope write' }),
    items: z.array(z.string()).nullable().meta({ description: 'null: the whole page' }),
    state: z.enum(SUBSCRIBER_STATES).meta({
      description:
        'resting: refused three letters in a row; nothing is sent until the subscriber is resumed',
    }),
    bounces: z.int().min(0).meta({ description: 'Refusals in a row' }),
    addedBy: z.string().nullable().meta({ description: 'null: signed up on the page' }),
    createdAt: instant,
    confirmedAt: maybeInstant,
  })
  .meta({ id: 'Subscriber' });

export type SubscriberResponse = ResponseOf<typeof subscriber>;

const count = z.int().min(0);

export const subscriberPage = pageSchema(subscriber).extend({
  counts: z
    .strictObject({ active: count, resting: count, unconfirmed: count })
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
    kind: z.enum(NOTICE_KINDS),
    updateId: z.string().nullable(),
    state: z.enum(NOTICE_STATES).meta({
      description:
        'stopped: the post, its update or the page was deleted before all letters were sent',
    }),
    publishedAt: instant,
    endedAt: maybeInstant,
    letters: z.strictObject({
      pending: count,
      sent: count,
      failed: count,
      resting: count,
      stopped: count,
    }),
  })
  .meta({ id: 'StatusPageNotice' });

export type NoticeResponse = ResponseOf<typeof notice>;

export const noticePage = pageSchema(notice);

const letter = z
  .strictObject({
    id: idSchema('letter'),
    noticeId: idSchema('notice'),
    subscriberId: idSchema('subscriber'),
    type: z.enum(SUBSCRIBER_TYPES),
    to: z.string().meta({ description: 'Masked' }),
    status: z.enum(LETTER_STATUSES),
    tries: count,
    detail: z.string().nullable().meta({ description: 'Outcome of the last try' }),
    createdAt: instant,
    sentAt: maybeInstant,
  })
  .meta({ id: 'StatusPageLetter' });

export type LetterResponse = ResponseOf<typeof letter>;

export const letterPage = pageSchema(letter);

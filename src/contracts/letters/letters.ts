/** Subscribers of status pages and the letters they get: names and types that several processes share. */

export const SUBSCRIBER_TYPES = ['mail', 'webhook', 'slack'] as const;
export type SubscriberType = (typeof SUBSCRIBER_TYPES)[number];

/**
 * `unconfirmed` subscribers get nothing and are removed after a day. `resting` subscribers refused letters too often in
 * a row.
 */
export const SUBSCRIBER_STATES = ['unconfirmed', 'active', 'resting'] as const;
export type SubscriberState = (typeof SUBSCRIBER_STATES)[number];

/**
 * `resting` and `stopped` letters were not sent. `resting`: the subscriber was resting. `stopped`: the post was
 * withdrawn, the subscription ended, or the page's settings or the subscriber's choice no longer allow the letter.
 */
export const LETTER_STATUSES = ['pending', 'sent', 'failed', 'resting', 'stopped'] as const;
export type LetterStatus = (typeof LETTER_STATUSES)[number];

export const NOTICE_KINDS = ['update', 'post_mortem'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export const NOTICE_STATES = ['sending', 'sent', 'stopped'] as const;
export type NoticeState = (typeof NOTICE_STATES)[number];

/** Which types of subscribers a page accepts. */
export type SubscriberSettings = Readonly<Record<SubscriberType, boolean>>;

/** The default: a page accepts no subscribers. */
export const NO_SUBSCRIBERS: SubscriberSettings = { mail: false, webhook: false, slack: false };

/** The queue of letters. It is separate, so that letters do not delay alerts. */
export const LETTER_QUEUE = 'letters';

/** The priority of letters. Letters come after checks and alerts: 1 is the highest, 3 the default, 5 the lowest. */
export const LETTER_PRIORITY = { priorityKey: 5 } as const;

/** The input of the workflow that sends a notice to subscribers, and its progress when it continues as new. */
export interface NoticeProgress {
  readonly v: 1;
  readonly accountId: string;
  readonly noticeId: string;
  /** A record is stored for all subscribers up to this id. null if no record is stored. */
  readonly writtenTo: string | null;
  readonly isWritten: boolean;
}

export interface NoticeName {
  readonly accountId: string;
  readonly noticeId: string;
}

export interface WrittenLetters {
  /** The last subscriber that got a record. null means that there are no more subscribers. */
  readonly lastId: string | null;
}

export interface SentLetters {
  /** Time until the next attempt to send a letter. 0 means at once. null means that no letter is pending. */
  readonly waitMs: number | null;
}

export interface LetterActivities {
  /** Stores a record for each of the next subscribers that get the notice. Calls can be repeated safely. */
  readonly writeLetters: (
    notice: NoticeName & { readonly afterId: string | null },
  ) => Promise<WrittenLetters>;
  /** Sends some of the letters that are due. Two processes can call this at the same time safely. */
  readonly sendLetters: (notice: NoticeName) => Promise<SentLetters>;
  readonly endNotice: (notice: NoticeName) => Promise<void>;
}

export function noticeWorkflowId(noticeId: string): string {
  return `notice-${noticeId}`;
}

/** Subscribers of status pages and the letters that they get: names and shapes, as they cross processes. */

export const SUBSCRIBER_TYPES = ['mail', 'webhook', 'slack'] as const;
export type SubscriberType = (typeof SUBSCRIBER_TYPES)[number];

/** unconfirmed: gets nothing and goes after a day; resting: was refused too often in a row. */
export const SUBSCRIBER_STATES = ['unconfirmed', 'active', 'resting'] as const;
export type SubscriberState = (typeof SUBSCRIBER_STATES)[number];

/** resting: the subscriber rested, and nothing was sent; stopped: the news or the subscriber went before it was sent. */
export const LETTER_STATUSES = ['pending', 'sent', 'failed', 'resting', 'stopped'] as const;
export type LetterStatus = (typeof LETTER_STATUSES)[number];

export const NOTICE_KINDS = ['update', 'post_mortem'] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export const NOTICE_STATES = ['sending', 'sent', 'stopped'] as const;
export type NoticeState = (typeof NOTICE_STATES)[number];

/** By whom a page may be subscribed to. */
export type SubscriberSettings = Readonly<Record<SubscriberType, boolean>>;

/** Of pages that say nothing. */
export const NO_SUBSCRIBERS: SubscriberSettings = { mail: false, webhook: false, slack: false };

/** Of letters alone, so that thousands of them hold up no alert. */
export const LETTER_QUEUE = 'letters';

/** Behind checks and alerts: 1 is the highest, 3 what others have, 5 the lowest. */
export const LETTER_PRIORITY = { priorityKey: 5 } as const;

/** What a notice's workflow begins with; where it goes on in a new history. */
export interface NoticeProgress {
  readonly v: 1;
  readonly accountId: string;
  readonly noticeId: string;
  /** Subscribers up to this id have a record; null: none has. */
  readonly writtenTo: string | null;
  readonly isWritten: boolean;
}

export interface NoticeName {
  readonly accountId: string;
  readonly noticeId: string;
}

export interface WrittenLetters {
  /** null: there are no more subscribers. */
  readonly lastId: string | null;
}

export interface SentLetters {
  /** Until a letter is to be tried next, 0: at once; null: none is pending. */
  readonly waitMs: number | null;
}

export interface LetterActivities {
  /** Stores a record for each of the next subscribers who hear of it. May be repeated. */
  readonly writeLetters: (
    notice: NoticeName & { readonly afterId: string | null },
  ) => Promise<WrittenLetters>;
  /** Sends some of those that are due. May be repeated, also by two processes at once. */
  readonly sendLetters: (notice: NoticeName) => Promise<SentLetters>;
  readonly endNotice: (notice: NoticeName) => Promise<void>;
}

export function noticeWorkflowId(noticeId: string): string {
  return `notice-${noticeId}`;
}

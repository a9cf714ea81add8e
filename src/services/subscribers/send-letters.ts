/**
 * Sends a notice to its subscribers. Writes a record for each letter, and then sends the letters one by one. A process
 * claims a letter before sending it. If the process crashes, the claim expires and the letter is sent again with the
 * same Message-ID. A letter may therefore arrive twice, but is never lost.
 */
import { createHash } from 'node:crypto';
import type { SentLetters, WrittenLetters } from '../../contracts/letters/letters';
import { buildId } from '../../domain/definitions/ids';
import type { Post } from '../../domain/status-pages/post';
import { findNews, receivesNews } from '../../domain/status-pages/subscriber';
import type { StatusPage } from '../../models/status-pages/status-pages';
import type { Stores } from '../../models/stores';
import type { Letter } from '../../models/subscribers/letters';
import type { Notice } from '../../models/subscribers/notices';
import type { Subscriber } from '../../models/subscribers/subscribers';
import type { LetterNews, SendLetter } from '../../notify/letters/letter';
import { buildSubscriptionUrl } from '../../notify/letters/subscription-link';
import type { Clock } from '../../platform/clock';
import { mapAtMost } from '../../platform/map-at-most';
import type { TextSealer } from '../../platform/sealing';
import type { RunTextJob } from '../../text/text-task';
import { isAnnounced } from './announce-posts';
import { hideRecipient, openRecipient } from './recipient';

export interface LetterNeeds {
  readonly stores: Pick<Stores, 'subscribers' | 'notices' | 'letters' | 'posts' | 'statusPages'>;
  readonly clock: Clock;
  readonly sealer: TextSealer;
  readonly publicUrl: string;
  readonly runTextJob: RunTextJob;
  readonly send: SendLetter;
}

interface NoticeName {
  readonly accountId: string;
  readonly noticeId: string;
}

const SUBSCRIBERS_PER_CALL = 500;
const LETTERS_PER_CALL = 100;
const LETTERS_AT_ONCE = 8;
/** How long a claim is valid. A mail server never takes this long for one letter. */
const CLAIM_MS = 120_000;
const GIVE_UP_AFTER_MS = 86_400_000;
const FIRST_WAIT_MS = 30_000;
const WAIT_MAX_MS = 3_600_000;
const ID_BYTES = 10;

const GONE = 'The subscription ended before it was sent.';
const OFF = 'The page no longer sends in this way.';
const UNCHOSEN = 'The post and the subscriber no longer have an item in common.';
const WITHDRAWN = 'The post was withdrawn before it was sent.';
const RESTS = 'The subscriber is resting after too many refusals.';
const KEY_GONE = 'The recipient was encrypted with a key that no longer exists.';

/** A notice with its page, its post and its current text. */
interface Scene {
  readonly notice: Notice;
  readonly page: StatusPage;
  readonly post: Post;
  readonly text: string;
}

/**
 * Returns the scene, or null if nothing is left to send. The scene is read before each step, because people may
 * withdraw the post at any time.
 */
async function readScene({ stores }: LetterNeeds, name: NoticeName): Promise<Scene | null> {
  const { accountId, noticeId } = name;
  const notice = await stores.notices.find(accountId, noticeId);
  if (notice === null || notice.state !== 'sending') return null;
  const [page, post] = await Promise.all([
    stores.statusPages.find(accountId, notice.pageId),
    stores.posts.find(accountId, notice.postId),
  ]);
  const news = post === null ? null : findNews(post, notice);
  if (page === null || post === null || news === null || !isAnnounced(page)) return null;
  return { notice, page, post, text: news.text };
}

/** Writes records of letters for the next subscribers who get this notice. Safe to repeat. */
export async function writeLetters(
  needs: LetterNeeds,
  { afterId, ...name }: NoticeName & { readonly afterId: string | null },
): Promise<WrittenLetters> {
  const scene = await readScene(needs, name);
  if (scene === null) return { lastId: null };
  const { notice, page } = scene;
  const query = { afterId, beforeMs: notice.atMs, max: SUBSCRIBERS_PER_CALL };
  const subscribers = await needs.stores.subscribers.listConfirmed(notice, query);
  const subject = readSubject(scene);
  const letters = subscribers
    .filter((each) => page.subscribers[each.type] && receivesNews(each, subject))
    .map((each) => newLetter(needs, notice, each));
  await needs.stores.letters.createAll(notice.accountId, letters);
  const last = subscribers.length < SUBSCRIBERS_PER_CALL ? undefined : subscribers.at(-1);
  return { lastId: last?.id ?? null };
}

function newLetter({ clock }: LetterNeeds, notice: Notice, subscriber: Subscriber): Letter {
  const { accountId, pageId, id: noticeId } = notice;
  const nowMs = clock.now();
  const isResting = subscriber.state === 'resting';
  return {
    id: letterId(notice, subscriber),
    accountId,
    pageId,
    noticeId,
    subscriberId: subscriber.id,
    type: subscriber.type,
    masked: subscriber.masked,
    status: isResting ? 'resting' : 'pending',
    tries: 0,
    nextTryAtMs: nowMs,
    detail: isResting ? RESTS : null,
    createdAtMs: nowMs,
    sentAtMs: null,
  };
}

/** Returns the id of a letter. The same notice and subscriber always give the same id. */
function letterId(notice: Pick<Notice, 'id' | 'atMs'>, { id }: Pick<Subscriber, 'id'>): string {
  const hash = createHash('sha256').update(`${notice.id} ${id}`).digest();
  return buildId('letter', notice.atMs, hash.subarray(0, ID_BYTES));
}

/**
 * Sends a batch of due letters. Returns the time until the next letter is due. Safe to repeat, even by two processes at
 * once.
 */
export async function sendLetters(
  needs: LetterNeeds,
  name: NoticeName,
  signal: AbortSignal,
): Promise<SentLetters> {
  const { letters } = needs.stores;
  const scene = await readScene(needs, name);
  if (scene === null) {
    await letters.stopPending(name, WITHDRAWN);
    return { waitMs: null };
  }
  const due = await letters.listDue(name, { nowMs: needs.clock.now(), max: LETTERS_PER_CALL });
  if (due.length > 0) {
    const news = await composeNews(needs, scene);
    await mapAtMost(LETTERS_AT_ONCE, due, async (letter) => {
      if (!signal.aborted) await sendOne(needs, letter, { scene, news });
    });
  }
  const nextAtMs = await letters.findNextAt(name);
  return { waitMs: nextAtMs === null ? null : Math.max(0, nextAtMs - needs.clock.now()) };
}

/** Ends the notice as `sent`, or as `stopped` if nothing more may be sent. */
export async function endNotice(needs: LetterNeeds, name: NoticeName): Promise<void> {
  const isStopped = (await readScene(needs, name)) === null;
  const state = isStopped ? 'stopped' : 'sent';
  await needs.stores.notices.end(name.accountId, name.noticeId, {
    state,
    atMs: needs.clock.now(),
  });
}

/** Builds the content that all letters of a notice share. */
async function composeNews(needs: LetterNeeds, scene: Scene): Promise<LetterNews> {
  const { notice, page, post, text } = scene;
  const task = { kind: 'markdown', subject: text } as const;
  const [result] = await needs.runTextJob({ text: '', tasks: [task], owner: notice.accountId });
  const items = page.groups.flatMap((group) => group.items);
  const update = post.updates.find(({ id }) => id === notice.updateId);
  return {
    page,
    postId: post.id,
    title: post.title,
    kind: notice.kind,
    state: update?.state ?? null,
    names: post.affected.flatMap((id) => items.find((item) => item.id === id)?.name ?? []),
    text,
    html: result !== undefined && 'rendered' in result ? result.rendered : null,
    atMs: notice.atMs,
  };
}

interface Sending {
  readonly scene: Scene;
  readonly news: LetterNews;
}

async function sendOne(
  needs: LetterNeeds,
  letter: Letter,
  { scene, news }: Sending,
): Promise<void> {
  const { stores, clock } = needs;
  if (!(await stores.letters.claim(letter, clock.now() + CLAIM_MS))) return;
  const { accountId, pageId, subscriberId: id } = letter;
  const name = { accountId, pageId, id };
  const subscriber = await stores.subscribers.find(accountId, name);
  if (subscriber === null) return stores.letters.note(letter, { status: 'stopped', detail: GONE });
  const ended = findEnd(scene, subscriber);
  if (ended !== null) return stores.letters.note(letter, ended);
  const to = openRecipient(needs.sealer, subscriber);
  if (to === null) return stores.letters.note(letter, { status: 'failed', detail: KEY_GONE });
  const link = { accountId, pageId, subscriberId: id, untilMs: null };
  const leaveUrl = buildSubscriptionUrl(needs.sealer, { ...needs, slug: news.page.slug }, link);
  const outcome = await needs.send({ id: letter.id, type: letter.type, to, leaveUrl, news });
  const detail = hideRecipient(outcome.detail, { type: letter.type, to });
  if (outcome.kind === 'sent') {
    await stores.letters.note(letter, { status: 'sent', detail, sentAtMs: clock.now() });
    if (subscriber.bounces > 0) await stores.subscribers.noteTaken(name);
    return;
  }
  const tries = letter.tries + 1;
  const waitMs = outcome.kind === 'later' ? waitBefore(tries, outcome.afterMs) : null;
  const nextTryAtMs = waitMs === null ? null : clock.now() + waitMs;
  if (nextTryAtMs !== null && nextTryAtMs <= letter.createdAtMs + GIVE_UP_AFTER_MS)
    return stores.letters.note(letter, { nextTryAtMs, detail });
  await stores.letters.note(letter, { status: 'failed', detail });
  if (outcome.kind === 'refused' && outcome.isBounce) await stores.subscribers.noteRefused(name);
}

/** Returns the reason why a due letter must not be sent. null if it is sent. */
function findEnd(scene: Scene, subscriber: Subscriber) {
  const { type, state } = subscriber;
  if (!scene.page.subscribers[type]) return { status: 'stopped', detail: OFF } as const;
  if (state === 'resting') return { status: 'resting', detail: RESTS } as const;
  if (receivesNews(subscriber, readSubject(scene))) return null;
  return { status: 'stopped', detail: UNCHOSEN } as const;
}

/** Returns the items that the post affects, and the items that the page shows. */
function readSubject({ page, post: { affected } }: Scene) {
  return {
    affected,
    shown: new Set(page.groups.flatMap(({ items }) => items.map(({ id }) => id))),
  };
}

/**
 * Returns the wait before the next attempt in milliseconds. A receiver can ask for a longer wait, but not for a shorter
 * one. Anyone can subscribe, so receivers are not trusted.
 */
function waitBefore(tries: number, askedMs: number | null): number {
  const backOffMs = Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
  return Math.max(backOffMs, askedMs ?? 0);
}

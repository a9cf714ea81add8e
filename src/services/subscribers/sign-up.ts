/**
 * Lets people sign up for news of a status page, and change a subscription through its link. The response to a sign-up
 * is the same for known and unknown recipients.
 */
import type { StatusPage } from '../../models/status-pages/status-pages';
import type { Subscriber } from '../../models/subscribers/subscribers';
import {
  buildSubscriptionUrl,
  readSubscriptionLink,
  type SubscriptionLink,
} from '../../notify/letters/subscription-link';
import { createSubscriptionTexts } from '../../notify/letters/subscription-texts';
import { AppError } from '../../platform/errors';
import { mailLink } from '../accounts/account-emails';
import {
  listSignUpCounters,
  listSignUpMailCounters,
  listTokenCounters,
  runThrottled,
  takeTries,
} from '../accounts/login-throttle';
import type { Dependencies } from '../ports/dependencies';
import {
  type NewSubscriber,
  newSubscriber,
  requireFree,
  requireFreeHost,
  withPageLock,
} from './page-subscribers';
import { hashRecipient, openRecipient } from './recipient';
import { CONFIRM_WITHIN_MS } from './tidy-subscribers';

type Needs = Pick<
  Dependencies,
  | 'stores'
  | 'clock'
  | 'sleep'
  | 'newId'
  | 'randomBytes'
  | 'sealers'
  | 'mailer'
  | 'publicUrl'
  | 'notifyOperator'
>;

/** Returns the subscriber types that the public can choose now. */
export function openWays(
  { mailer }: Pick<Needs, 'mailer'>,
  { subscribers }: StatusPage,
): StatusPage['subscribers'] {
  return { ...subscribers, mail: subscribers.mail && mailer !== null };
}

/**
 * Signs a recipient up. Throws `rate_limited` for too many attempts, and `limit_reached` for a full page. The errors do
 * not depend on whether the recipient is known. A sign-up by email continues after this function returns.
 */
export async function signUp(
  needs: Needs,
  page: StatusPage,
  { wanted, clientIp }: { readonly wanted: NewSubscriber; readonly clientIp: string },
): Promise<void> {
  await takeTries(needs, listSignUpCounters(clientIp));
  await requireFree(needs, page);
  if (wanted.type !== 'mail') {
    const subscriber = newSubscriber(needs, page, { ...wanted, isConfirmed: true, addedBy: null });
    await withPageLock(needs, page, async () => {
      await requireFreeHost(needs, page, wanted);
      await needs.stores.subscribers.create(page.accountId, subscriber);
    });
    return;
  }
  signUpByMail(needs, page, wanted).catch((error: unknown) => {
    // A recipient who recently got several emails gets no more for some time.
    if (error instanceof AppError && error.code === 'rate_limited') return;
    const reason = error instanceof Error ? error.message : String(error);
    needs.notifyOperator(
      { pageId: page.id, reason },
      'a sign-up to a status page could not be stored',
    );
  });
}

async function signUpByMail(needs: Needs, page: StatusPage, wanted: NewSubscriber): Promise<void> {
  const { accountId, id: pageId } = page;
  await takeTries(needs, listSignUpMailCounters(pageId, wanted.to));
  const hash = hashRecipient(pageId, wanted);
  const known = await needs.stores.subscribers.findByHash(accountId, pageId, hash);
  if (known?.state === 'active') return mailKnown(needs, page, { known, to: wanted.to });
  const again = { items: wanted.items, atMs: needs.clock.now() };
  const isRenewed =
    known !== null &&
    (await needs.stores.subscribers.renew({ accountId, pageId, id: known.id }, again));
  const subscriber = isRenewed ? known : await createUnconfirmed(needs, page, wanted);
  if (subscriber !== null) await mailConfirmation(needs, page, { subscriber, to: wanted.to });
}

/** Stores an unconfirmed subscriber. Returns null if a parallel sign-up of the same recipient was faster. */
async function createUnconfirmed(
  needs: Needs,
  page: StatusPage,
  wanted: NewSubscriber,
): Promise<Subscriber | null> {
  const made = newSubscriber(needs, page, { ...wanted, isConfirmed: false, addedBy: null });
  return (await needs.stores.subscribers.create(page.accountId, made)) ? made : null;
}

/** Asks the recipient to confirm the subscription. */
export async function mailConfirmation(
  needs: Needs,
  page: StatusPage,
  { subscriber, to }: { readonly subscriber: Subscriber; readonly to: string },
): Promise<void> {
  const { say } = createSubscriptionTexts(page);
  await mailLink(needs, {
    to,
    subject: say('letter.confirm-subject', { page: page.title }),
    sentences: [say('letter.confirm', { page: page.title })],
    link: buildLink(needs, page, subscriber, needs.clock.now() + CONFIRM_WITHIN_MS),
  });
}

async function mailKnown(
  needs: Needs,
  page: StatusPage,
  { known, to }: { readonly known: Subscriber; readonly to: string },
): Promise<void> {
  const { say } = createSubscriptionTexts(page);
  await mailLink(needs, {
    to,
    subject: say('letter.known-subject', { page: page.title }),
    sentences: [say('letter.known', { page: page.title })],
    link: buildLink(needs, page, known, null),
  });
}

function buildLink(
  { sealers, publicUrl }: Needs,
  { slug }: StatusPage,
  { accountId, pageId, id: subscriberId }: Subscriber,
  untilMs: number | null,
): string {
  const link = { accountId, pageId, subscriberId, untilMs };
  return buildSubscriptionUrl(sealers.stored, { publicUrl, slug }, link);
}

/** The subscription as the person with its link sees it. */
export interface LinkedSubscription {
  readonly page: StatusPage;
  readonly to: string;
  readonly items: readonly string[] | null;
  /** True if the link is a confirmation link, and the subscription is not active yet. */
  readonly isToConfirm: boolean;
}

type LinkNeeds = Pick<Needs, 'stores' | 'clock' | 'sealers'>;

/**
 * Returns the subscription of the link. null if the link is unknown or expired, or if the subscription no longer
 * exists.
 */
export async function readSubscription(
  needs: LinkNeeds,
  token: string,
): Promise<LinkedSubscription | null> {
  const found = await findLinked(needs, token);
  if (found === null) return null;
  const { link, page, subscriber } = found;
  const to = openRecipient(needs.sealers.stored, subscriber);
  if (to === null) return null;
  const isToConfirm = link.untilMs !== null && subscriber.state !== 'active';
  return { page, to, items: subscriber.items, isToConfirm };
}

async function findLinked({ stores, clock, sealers }: LinkNeeds, token: string) {
  const link = readSubscriptionLink(sealers.stored, token);
  if (link === null || (link.untilMs ?? Number.POSITIVE_INFINITY) <= clock.now()) return null;
  const { accountId, pageId, subscriberId: id } = link;
  const [page, subscriber] = await Promise.all([
    stores.statusPages.find(accountId, pageId),
    stores.subscribers.find(accountId, { pageId, id }),
  ]);
  return page === null || subscriber === null ? null : { link, page, subscriber };
}

type Linked = NonNullable<Awaited<ReturnType<typeof findLinked>>>;

interface Used {
  readonly token: string;
  readonly clientIp: string;
}

/**
 * Confirms the subscription. Throws `invalid_token` for an unknown or expired link, and `limit_reached` for a full
 * page.
 */
export function confirmSubscription(needs: Needs, used: Used): Promise<void> {
  return actByLink(needs, used, async ({ link, page, subscriber }) => {
    if (subscriber.state === 'active') return;
    if (link.untilMs === null) throw unknownLink();
    const wake = () => needs.stores.subscribers.wake(nameIn(link), needs.clock.now());
    const { state, wantedItems } = subscriber;
    if (wantedItems !== undefined)
      await needs.stores.subscribers.setItems(nameIn(link), wantedItems);
    if (state === 'resting') await wake();
    else await withPageLock(needs, page, wake);
  });
}

/** Changes the items of the subscription. Throws `invalid_token` for an unknown or expired link. */
export function changeSubscription(
  needs: Needs,
  used: Used,
  chosen: readonly string[] | null,
): Promise<void> {
  return actByLink(needs, used, async ({ link }) => {
    await needs.stores.subscribers.setItems(nameIn(link), chosen);
  });
}

/** Deletes the subscriber. Throws `invalid_token` for an unknown or expired link. */
export function endSubscription(needs: Needs, used: Used): Promise<void> {
  return actByLink(needs, used, async ({ link }) => {
    await needs.stores.subscribers.remove(nameIn(link));
  });
}

function actByLink(
  needs: Needs,
  { token, clientIp }: Used,
  act: (linked: Linked) => Promise<void>,
): Promise<void> {
  return runThrottled(needs, listTokenCounters(clientIp), async () => {
    const found = await findLinked(needs, token);
    if (found === null) throw unknownLink();
    await act(found);
  });
}

function nameIn({ accountId, pageId, subscriberId: id }: SubscriptionLink) {
  return { accountId, pageId, id };
}

function unknownLink(): AppError {
  return new AppError('invalid_token', 'This link is not valid.');
}

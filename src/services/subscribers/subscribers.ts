/** Lets members of an account list, add, resume and remove the subscribers of its status pages. */
import { SUBSCRIBER_STATES } from '../../contracts/letters/letters';
import { isId } from '../../domain/definitions/ids';
import type { StatusPage } from '../../models/status-pages/status-pages';
import type { Subscriber, SubscriberFilter } from '../../models/subscribers/subscribers';
import { AppError, type FieldProblem } from '../../platform/errors';
import type { SubscriberList, SubscriberResponse } from '../../schemas/responses/subscribers';
import type {
  SubscriberBody,
  SubscriberFileQuery,
  SubscriberQuery,
} from '../../schemas/status-pages/subscriber';
import { hasScope, type Principal } from '../accounts/principal';
import { maskEntry } from '../alerting/alert-destinations';
import { readActorName } from '../alerting/incidents';
import { refuseProblems } from '../lists/field-problems';
import { toInstant, toInstantOrNull } from '../lists/instants';
import { type ListPage, type Pages, readList, readPages } from '../lists/read-list';
import { findTypedObject } from '../objects/object-type';
import type { Dependencies } from '../ports/dependencies';
import { STATUS_PAGES } from '../status-pages/status-pages';
import { type NewSubscriber, newSubscriber, withPageLock } from './page-subscribers';
import { hashRecipient, openRecipient } from './recipient';
import { mailConfirmation } from './sign-up';

type Needs = Dependencies;

const FILE_PAGE = 500;

/** Throws `not_found` for an unknown page and for a page of another account. */
function findPage(needs: Needs, accountId: string, pageId: string): Promise<StatusPage> {
  return findTypedObject(needs, STATUS_PAGES, { accountId, id: pageId });
}

/**
 * Lists subscribers, newest first, with the number of subscribers in each state. Callers without the write scope see
 * masked recipients.
 */
export async function listSubscribers(
  needs: Needs,
  principal: Principal,
  pageId: string,
  query: SubscriberQuery,
): Promise<SubscriberList> {
  const { accountId } = principal;
  await findPage(needs, accountId, pageId);
  const { subscribers } = needs.stores;
  const [page, ...counts] = await Promise.all([
    readSubscribers(needs, principal, pageId, query),
    ...SUBSCRIBER_STATES.map((state) => subscribers.count(accountId, pageId, { state })),
  ]);
  const [unconfirmed = 0, active = 0, resting = 0] = counts;
  return { ...page, counts: { active, resting, unconfirmed } };
}

function readSubscribers(
  needs: Needs,
  principal: Principal,
  pageId: string,
  { limit, cursor, ...filters }: SubscriberQuery,
): Promise<ListPage<SubscriberResponse>> {
  const { accountId } = principal;
  const filter = buildFilter(pageId, filters);
  return readList(
    { accountId, list: 'subscribers', pageId, ...filter },
    { limit, cursor },
    {
      read: (query) => needs.stores.subscribers.list(accountId, pageId, { ...filter, ...query }),
      present: (each) => presentSubscriber(needs, principal, each),
    },
  );
}

/** Returns all matching subscribers, page by page. */
export async function exportSubscribers(
  needs: Needs,
  principal: Principal,
  pageId: string,
  { format: _format, ...filters }: SubscriberFileQuery,
): Promise<Pages<SubscriberResponse>> {
  await findPage(needs, principal.accountId, pageId);
  return readPages((cursor) =>
    readSubscribers(needs, principal, pageId, {
      ...filters,
      limit: FILE_PAGE,
      ...(cursor !== undefined && { cursor }),
    }),
  );
}

/**
 * Builds the filter. If no type is given, a recipient that begins with `https://` is a webhook, and any other recipient
 * is an email address.
 */
function buildFilter(
  pageId: string,
  { to, type, state }: Pick<SubscriberQuery, 'to' | 'type' | 'state'>,
): SubscriberFilter {
  const of = type ?? (to?.startsWith('https://') === true ? 'webhook' : 'mail');
  const text = of === 'mail' ? to?.toLowerCase() : to;
  return {
    ...(state !== undefined && { state }),
    ...(type !== undefined && { type }),
    ...(text !== undefined && { hash: hashRecipient(pageId, { type: of, to: text }) }),
  };
}

/** Adds a subscriber. Throws `validation_failed`, `blocked_target`, `key_taken` and `limit_reached`. */
export async function addSubscriber(
  needs: Needs,
  principal: Principal,
  pageId: string,
  { confirmed, ...wanted }: SubscriberBody,
): Promise<SubscriberResponse> {
  const { accountId } = principal;
  const page = await findPage(needs, accountId, pageId);
  refuseProblems(findProblems(needs, page, wanted));
  const isConfirmed = confirmed || wanted.type !== 'mail';
  const addedBy = await readActorName(needs, principal);
  const subscriber = newSubscriber(needs, page, { ...wanted, isConfirmed, addedBy });
  const isNew = await withPageLock(needs, page, () =>
    needs.stores.subscribers.create(accountId, subscriber),
  );
  if (!isNew) throw new AppError('key_taken', 'The page already has this subscriber.');
  if (!isConfirmed) void mailConfirmation(needs, page, { subscriber, to: wanted.to });
  return presentSubscriber(needs, principal, subscriber);
}

/** Returns a problem for each field that the page or the service does not allow for a new subscriber. */
function findProblems(
  { findBlockedTarget, mailer }: Pick<Dependencies, 'findBlockedTarget' | 'mailer'>,
  { subscribers, groups }: StatusPage,
  { type, to, items }: NewSubscriber,
): readonly FieldProblem[] {
  const invalid = (path: string, message: string) => ({ path, code: 'validation_failed', message });
  const known = new Set(groups.flatMap((group) => group.items.map(({ id }) => id)));
  const blocked = type === 'mail' ? null : findBlockedTarget(to);
  return [
    ...(subscribers[type]
      ? []
      : [invalid('type', `is off on this page; set \`subscribers.${type}\` of the page to true`)]),
    ...(type === 'mail' && mailer === null
      ? [invalid('type', 'needs a mail server, and none is set (SMTP_URL)')]
      : []),
    ...(blocked === null ? [] : [{ path: 'to', code: 'blocked_target', message: blocked }]),
    ...(items ?? []).flatMap((id, at) =>
      known.has(id) ? [] : [invalid(`items[${at}]`, 'is not an item of the page')],
    ),
  ];
}

/** Returns the subscriber. Throws `not_found` for an unknown subscriber. */
export async function getSubscriber(
  needs: Needs,
  principal: Principal,
  name: { readonly pageId: string; readonly id: string },
): Promise<SubscriberResponse> {
  const found = await findSubscriber(needs, principal.accountId, name);
  return presentSubscriber(needs, principal, found);
}

/**
 * Makes the subscriber active again and resets the number of bounces. Throws `not_found` for an unknown subscriber, and
 * `validation_failed` for an unconfirmed subscriber.
 */
export async function resumeSubscriber(
  needs: Needs,
  principal: Principal,
  name: { readonly pageId: string; readonly id: string },
): Promise<SubscriberResponse> {
  const before = await findSubscriber(needs, principal.accountId, name);
  if (before.state === 'unconfirmed')
    refuseProblems([
      { path: '', code: 'validation_failed', message: 'The subscriber has not confirmed yet.' },
    ]);
  const { accountId } = principal;
  await needs.stores.subscribers.wake({ accountId, ...name }, needs.clock.now());
  const after = await findSubscriber(needs, accountId, name);
  return presentSubscriber(needs, principal, after);
}

/** Deletes and returns the subscriber. Only records of sent letters stay, with a masked recipient. */
export async function removeSubscriber(
  needs: Needs,
  principal: Principal,
  name: { readonly pageId: string; readonly id: string },
): Promise<SubscriberResponse> {
  const { accountId } = principal;
  const before = await findSubscriber(needs, accountId, name);
  await needs.stores.subscribers.remove({ accountId, ...name });
  return presentSubscriber(needs, principal, before);
}

/** Masks the recipient for the audit log, because the log is kept longer than the subscriber. */
export function maskSubscriber(shown: SubscriberResponse): SubscriberResponse {
  return { ...shown, to: maskEntry(shown.to) };
}

async function findSubscriber(
  needs: Needs,
  accountId: string,
  { pageId, id }: { readonly pageId: string; readonly id: string },
): Promise<Subscriber> {
  await findPage(needs, accountId, pageId);
  const found = isId('subscriber', id)
    ? await needs.stores.subscribers.find(accountId, { pageId, id })
    : null;
  if (found === null) throw new AppError('not_found', 'There is no subscriber with this id.');
  return found;
}

function presentSubscriber(
  { sealers }: Pick<Dependencies, 'sealers'>,
  principal: Principal,
  subscriber: Subscriber,
): SubscriberResponse {
  const { id, type, masked, items, state, bounces, addedBy } = subscriber;
  const whole = hasScope(principal, 'write') ? openRecipient(sealers.stored, subscriber) : null;
  return {
    id,
    type,
    to: type === 'mail' ? (whole ?? masked) : masked,
    items,
    state,
    bounces,
    addedBy,
    createdAt: toInstant(subscriber.createdAtMs),
    confirmedAt: toInstantOrNull(subscriber.confirmedAtMs),
  };
}

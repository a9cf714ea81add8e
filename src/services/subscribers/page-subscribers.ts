/** Builds new subscribers of a status page, and enforces the limit per page. */
import type { SubscriberType } from '../../contracts/letters/letters';
import { SUBSCRIBERS_MAX, WEBHOOKS_PER_HOST_MAX } from '../../domain/status-pages/subscriber';
import type { StatusPage } from '../../models/status-pages/status-pages';
import type { Subscriber } from '../../models/subscribers/subscribers';
import { AppError } from '../../platform/errors';
import { runExclusively } from '../accounts/plan-limits';
import type { Dependencies } from '../ports/dependencies';
import { sealRecipient } from './recipient';

type Turns = Pick<Dependencies, 'stores' | 'clock' | 'sleep' | 'randomBytes'>;

export interface NewSubscriber {
  readonly type: SubscriberType;
  readonly to: string;
  readonly items: readonly string[] | null;
}

interface Origin {
  readonly isConfirmed: boolean;
  readonly addedBy: string | null;
}

/** Builds the subscriber without storing it. */
export function newSubscriber(
  { clock, newId, sealers }: Pick<Dependencies, 'clock' | 'newId' | 'sealers'>,
  { accountId, id: pageId }: StatusPage,
  { items, isConfirmed, addedBy, ...recipient }: NewSubscriber & Origin,
): Subscriber {
  const nowMs = clock.now();
  return {
    id: newId('subscriber'),
    accountId,
    pageId,
    ...sealRecipient(sealers.stored, pageId, recipient),
    items,
    state: isConfirmed ? 'active' : 'unconfirmed',
    bounces: 0,
    addedBy,
    createdAtMs: nowMs,
    confirmedAtMs: isConfirmed ? nowMs : null,
  };
}

/**
 * Throws `limit_reached` if the page already has the maximum number of confirmed subscribers, or of unconfirmed
 * subscribers.
 */
export async function requireFree(
  { stores }: Pick<Dependencies, 'stores'>,
  { accountId, id }: StatusPage,
): Promise<void> {
  const [all, unconfirmed] = await Promise.all([
    stores.subscribers.count(accountId, id),
    stores.subscribers.count(accountId, id, { state: 'unconfirmed' }),
  ]);
  if (all - unconfirmed < SUBSCRIBERS_MAX && unconfirmed < SUBSCRIBERS_MAX) return;
  throw new AppError(
    'limit_reached',
    `A status page may have at most ${SUBSCRIBERS_MAX} subscribers.`,
  );
}

/** Runs `write` under the lock of the page. Throws `limit_reached` if the page can have no more subscribers. */
export function withPageLock<Value>(
  needs: Turns,
  page: StatusPage,
  write: () => Promise<Value>,
): Promise<Value> {
  const { accountId, id } = page;
  return runExclusively(needs, { accountId, kind: `subscribers ${id}` }, async () => {
    await requireFree(needs, page);
    return write();
  });
}

/** Throws `limit_reached` if too many public sign-ups have registered webhooks of this host. */
export async function requireFreeHost(
  { stores }: Pick<Dependencies, 'stores'>,
  { accountId, id }: StatusPage,
  { type, to }: NewSubscriber,
): Promise<void> {
  if (type !== 'webhook') return;
  const webhookHost = new URL(to).hostname;
  const taken = await stores.subscribers.count(accountId, id, { webhookHost });
  if (taken < WEBHOOKS_PER_HOST_MAX) return;
  throw new AppError('limit_reached', `A page takes ${WEBHOOKS_PER_HOST_MAX} webhooks of a host.`);
}

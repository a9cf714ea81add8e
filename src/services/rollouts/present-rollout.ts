/** Converts rollouts to the form that /v1 returns (docs/api/rollouts.md). */
import type { RolloutCounts, RolloutItemState } from '../../contracts/operations/rollouts';
import { maskSecrets } from '../../domain/accounts/audit-change';
import type { RolloutItem } from '../../models/rollouts/rollout-items';
import type { Rollout } from '../../models/rollouts/rollouts';
import { AppError } from '../../platform/errors';
import type {
  RolloutItemResponse,
  RolloutResponse,
  RolloutWithItems,
} from '../../schemas/responses/rollouts';
import { toInstant, toInstantOrNull } from '../lists/instants';
import { type ListPage, type ListRequest, readItems, readList } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores'>;

/** Returns the rollout. Throws `not_found` if the id is unknown or of another account. */
export async function findRollout(
  { stores }: Needs,
  accountId: string,
  id: string,
): Promise<Rollout> {
  const found = await stores.rollouts.find(accountId, id);
  if (found === null) throw new AppError('not_found', 'There is no rollout with this id.');
  return found;
}

/** Lists the rollouts, newest first. */
export async function listRollouts(
  needs: Needs,
  accountId: string,
  request: ListRequest,
): Promise<ListPage<RolloutResponse>> {
  const { rollouts } = needs.stores;
  const { items, nextCursor } = await readItems({ accountId, list: 'rollouts' }, request, {
    read: (query) => rollouts.list(accountId, query),
    readId: ({ id }) => id,
  });
  const open = items.some(({ state }) => state !== 'ended')
    ? await rollouts.listOpen(accountId)
    : [];
  const data = await Promise.all(items.map((rollout) => showOne(needs, rollout, open)));
  return { data, nextCursor };
}

export async function showRollout(needs: Needs, rollout: Rollout): Promise<RolloutResponse> {
  const isOpen = rollout.state !== 'ended';
  const open = isOpen ? await needs.stores.rollouts.listOpen(rollout.accountId) : [];
  return showOne(needs, rollout, open);
}

export interface RolloutPageRequest extends ListRequest {
  readonly id: string;
  readonly state?: RolloutItemState | undefined;
}

/** Returns the rollout with a page of its resources. */
export async function getRollout(
  needs: Needs,
  accountId: string,
  { id, state, ...page }: RolloutPageRequest,
): Promise<RolloutWithItems> {
  const rollout = await findRollout(needs, accountId, id);
  const name = { accountId, rolloutId: id };
  const scope = { accountId, list: 'rollout-items', rolloutId: id, state };
  const items = await readList(scope, page, {
    read: (query) => needs.stores.rolloutItems.list(name, { ...query, state }),
    present: presentItem,
  });
  return { ...(await showRollout(needs, rollout)), items };
}

async function showOne(
  { stores }: Needs,
  rollout: Rollout,
  open: readonly Rollout[],
): Promise<RolloutResponse> {
  const { id, accountId, state, actor, undoneBy } = rollout;
  const counts =
    rollout.counts ?? (await stores.rolloutItems.countStates({ accountId, rolloutId: id }));
  // `undoneBy` may be the id of an undo that was refused or could not start. It is therefore looked up.
  const undo = undoneBy === null ? null : await stores.rollouts.find(accountId, undoneBy);
  const position = open.findIndex((other) => other.id === id);
  return {
    id,
    state,
    ...presentChange(rollout),
    actor,
    progress: { total: sumUp(counts), ...counts },
    waitsFor: state === 'waiting' ? (open[position - 1]?.id ?? null) : null,
    undoUntil: toInstantOrNull(rollout.undoUntilMs),
    undoneBy: undo?.id ?? null,
    createdAt: toInstant(rollout.createdAtMs),
    startedAt: toInstantOrNull(rollout.startedAtMs),
    endedAt: toInstantOrNull(rollout.endedAtMs),
  };
}

function sumUp(counts: RolloutCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

/** Returns cause and change, with masked secret values. */
export function presentChange({
  cause,
  change,
}: Pick<Rollout, 'cause' | 'change'>): Pick<RolloutResponse, 'cause' | 'change'> {
  return {
    cause,
    change: change.type === 'edit' ? { ...change, set: maskSecrets(change.set) } : change,
  };
}

function presentItem({
  resourceId,
  name,
  state,
  changes,
  reason,
}: RolloutItem): RolloutItemResponse {
  return { id: resourceId, name, state, changes, reason };
}

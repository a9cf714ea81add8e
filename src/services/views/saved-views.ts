/**
 * Making, reading and changing saved views of the list of checks. A view is shared with the account, or
 * only its maker sees it; to everybody else, admins included, it does not exist. It reads no checks.
 */
import { isId } from '../../domain/definitions/ids';
import type { SavedView, ViewReader } from '../../models/views/saved-views';
import { canonicalJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import type { SavedViewResponse } from '../../schemas/responses/saved-views';
import type { SavedViewBody } from '../../schemas/saved-view';
import { makerOf } from '../accounts/maker';
import { oneAtATime } from '../accounts/plan-limits';
import type { Principal } from '../accounts/principal';
import { refuseProblems } from '../lists/field-problems';
import { toInstant } from '../lists/instants';
import type { ListPage, ListRequest } from '../lists/list-page';
import { orUndo } from '../lists/or-undo';
import { readList } from '../lists/read-list';
import { OVERTAKEN, withOptimisticRetry } from '../lists/with-optimistic-retry';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'sleep' | 'newId' | 'randomBytes'>;
type Reading = Pick<Dependencies, 'stores'>;

/** Of one account, everybody's together. */
const VIEWS_MAX = 200;

/** Throws `limit_reached`, and `validation_failed` for an own view of a key that is nobody's. */
export async function createSavedView(
  needs: Needs,
  principal: Principal,
  body: SavedViewBody,
): Promise<SavedViewResponse> {
  const { accountId, personId } = await readerOf(needs, principal);
  refuseOwnOfAnother(body, { createdBy: personId, personId });
  const nowMs = needs.clock.now();
  const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
  const id = needs.newId('savedView');
  const view: SavedView = { ...body, ...times, id, accountId, version: 1, createdBy: personId };
  const { savedViews } = needs.stores;
  await oneAtATime(needs, { accountId, kind: 'savedViews' }, async () => {
    if ((await savedViews.count(accountId)) >= VIEWS_MAX)
      throw new AppError('limit_reached', `An account may have ${VIEWS_MAX} saved views.`);
    const store = () => savedViews.create(accountId, view);
    await orUndo(needs, store, () => savedViews.remove(accountId, id, view.version));
  });
  return present(view);
}

/** Shared ones and those of the person who asks, newest first. */
export async function listSavedViews(
  needs: Reading,
  principal: Principal,
  request: ListRequest,
): Promise<ListPage<SavedViewResponse>> {
  const reader = await readerOf(needs, principal);
  return readList({ ...reader, list: 'saved-views' }, request, {
    read: (query) => needs.stores.savedViews.list(reader, query),
    present,
  });
}

export async function getSavedView(
  needs: Reading,
  principal: Principal,
  id: string,
): Promise<SavedViewResponse> {
  return present(await findSavedView(needs, await readerOf(needs, principal), id));
}

interface Replacement {
  readonly id: string;
  readonly body: SavedViewBody;
  /** Throws `version_mismatch` for a version that the caller did not expect. */
  readonly accept: (version: number) => void;
}

/** A shared one is changed by whoever may write; only its maker takes it back for themselves. */
export async function replaceSavedView(
  needs: Needs,
  principal: Principal,
  { id, body, accept }: Replacement,
): Promise<SavedViewResponse> {
  const reader = await readerOf(needs, principal);
  const { accountId, personId } = reader;
  return withOptimisticRetry(needs, async () => {
    const before = await findSavedView(needs, reader, id);
    accept(before.version);
    refuseOwnOfAnother(body, { createdBy: before.createdBy, personId });
    const changed = { ...before, ...body };
    if (canonicalJson(changed) === canonicalJson(before)) return present(before);
    const version = before.version + 1;
    const next: SavedView = { ...changed, version, updatedAtMs: needs.clock.now() };
    const isWritten = await needs.stores.savedViews.replace(accountId, next, before.version);
    return isWritten ? present(next) : OVERTAKEN;
  });
}

export async function deleteSavedView(
  needs: Needs,
  principal: Principal,
  { id, accept }: Pick<Replacement, 'id' | 'accept'>,
): Promise<void> {
  const reader = await readerOf(needs, principal);
  await withOptimisticRetry(needs, async () => {
    const { version } = await findSavedView(needs, reader, id);
    accept(version);
    const isRemoved = await needs.stores.savedViews.remove(reader.accountId, id, version);
    return isRemoved ? undefined : OVERTAKEN;
  });
}

/** A key reads as the person who made it. */
async function readerOf(needs: Reading, principal: Principal): Promise<ViewReader> {
  return { accountId: principal.accountId, personId: await makerOf(needs, principal) };
}

/** The view, or `not_found`, whether the id is malformed, unknown, of another account or another's own. */
async function findSavedView(
  { stores }: Reading,
  reader: ViewReader,
  id: string,
): Promise<SavedView> {
  const view = isId('savedView', id) ? await stores.savedViews.find(reader, id) : null;
  if (view === null) throw new AppError('not_found', 'There is no saved view with this id.');
  return view;
}

/** One that nobody is the maker of could be read by nobody. */
function refuseOwnOfAnother(
  { isShared }: SavedViewBody,
  { createdBy, personId }: Pick<SavedView, 'createdBy'> & Pick<ViewReader, 'personId'>,
): void {
  if (isShared || (personId !== null && createdBy === personId)) return;
  const message =
    personId === null
      ? 'must be true: no person is known who made this API key'
      : 'must be true: another person created the view';
  refuseProblems([{ path: 'isShared', code: 'invalid_value', message }]);
}

function present(view: SavedView): SavedViewResponse {
  const { accountId: _account, createdAtMs, updatedAtMs, ...shown } = view;
  return { ...shown, createdAt: toInstant(createdAtMs), updatedAt: toInstant(updatedAtMs) };
}

/**
 * Creates, reads, changes and deletes saved views of the list of checks. A view is either shared with the account or
 * private. Only its creator can see a private view. Not even an admin can see it.
 */
import type { SavedView, ViewReader } from '../../models/views/saved-views';
import type { SavedViewResponse } from '../../schemas/responses/saved-views';
import type { SavedViewBody } from '../../schemas/saved-view';
import { findMaker, type Principal } from '../accounts/principal';
import { refuseProblems } from '../lists/field-problems';
import { type ListPage, type ListRequest, readList } from '../lists/read-list';
import {
  changeObject,
  getObject,
  newObject,
  type ObjectChange,
  presentObject,
  removeObject,
  storeObject,
} from '../objects/object-verbs';
import type { Dependencies } from '../ports/dependencies';

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'sleep' | 'newId' | 'randomBytes'>;
type Reading = Pick<Dependencies, 'stores'>;

/** Maximum number of shared and private views per account. */
const VIEWS_MAX = 200;

/** Returns the kind of saved views for a reader. It hides the private views of other people. */
function kindFor({ stores }: Reading, reader: ViewReader) {
  return {
    idKind: 'savedView',
    name: 'saved view',
    names: 'saved views',
    turn: 'savedViews',
    max: VIEWS_MAX,
    store: {
      ...stores.savedViews,
      find: (_accountId: string, id: string) => stores.savedViews.find(reader, id),
    },
    present: presentObject<SavedView>,
  } as const;
}

/**
 * Creates a view. Throws `limit_reached` for too many views. Throws `validation_failed` if an API key without a known
 * creator asks for a private view.
 */
export async function createSavedView(
  needs: Needs,
  principal: Principal,
  body: SavedViewBody,
): Promise<SavedViewResponse> {
  const reader = await createReader(needs, principal);
  const { accountId, personId } = reader;
  refuseOwnOfAnother(body, { createdBy: personId, personId });
  const kind = kindFor(needs, reader);
  const view = { ...body, ...newObject(needs, kind, accountId), createdBy: personId };
  await storeObject(needs, kind, view);
  return presentObject(view);
}

/** Lists shared views and the caller's private views. The newest comes first. */
export async function listSavedViews(
  needs: Reading,
  principal: Principal,
  request: ListRequest,
): Promise<ListPage<SavedViewResponse>> {
  const reader = await createReader(needs, principal);
  return readList({ ...reader, list: 'saved-views' }, request, {
    read: (query) => needs.stores.savedViews.list(reader, query),
    present: presentObject<SavedView>,
  });
}

export async function getSavedView(
  needs: Reading,
  principal: Principal,
  id: string,
): Promise<SavedViewResponse> {
  const reader = await createReader(needs, principal);
  return getObject(kindFor(needs, reader), reader.accountId, id);
}

/** Replaces a view. Every member who may write can change a shared view, but only its creator can make it private. */
export async function replaceSavedView(
  needs: Needs,
  principal: Principal,
  { body, ...change }: ObjectChange & { readonly body: SavedViewBody },
): Promise<SavedViewResponse> {
  const reader = await createReader(needs, principal);
  const { accountId, personId } = reader;
  const target = { ...change, accountId };
  const replaced = await changeObject(needs, kindFor(needs, reader), target, (before) => {
    refuseOwnOfAnother(body, { createdBy: before.createdBy, personId });
    return { ...before, ...body };
  });
  return presentObject(replaced);
}

export async function deleteSavedView(
  needs: Needs,
  principal: Principal,
  change: ObjectChange,
): Promise<void> {
  const reader = await createReader(needs, principal);
  const { accountId } = reader;
  await removeObject(needs, kindFor(needs, reader), { ...change, accountId });
}

/** Returns the reader for the caller. An API key reads views as the person who created the key. */
async function createReader(needs: Reading, principal: Principal): Promise<ViewReader> {
  return { accountId: principal.accountId, personId: await findMaker(needs, principal) };
}

/** Refuses to make the view of another person private, because the caller could then no longer read it. */
function refuseOwnOfAnother(
  { isShared }: SavedViewBody,
  { createdBy, personId }: Pick<SavedView, 'createdBy'> & Pick<ViewReader, 'personId'>,
): void {
  if (isShared || (personId !== null && createdBy === personId)) return;
  const message =
    personId === null
      ? 'must be true, because the creator of this API key is unknown'
      : 'must be true, because another person created the view';
  refuseProblems([{ path: 'isShared', code: 'invalid_value', message }]);
}

/** Creates, reads, changes and deletes versioned objects of an account, such as policies and status pages. */
import { type IdKind, isId } from '../../domain/definitions/ids';
import type { VersionedStore } from '../../models/store/versioned-store';
import { isSameJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import { runExclusively } from '../accounts/plan-limits';
import { toInstant } from '../lists/instants';
import { type ListPage, type ListRequest, readList } from '../lists/read-list';
import { runOrCompensate } from '../lists/run-or-compensate';
import { OVERTAKEN, withOptimisticRetry } from '../lists/with-optimistic-retry';
import type { Dependencies } from '../ports/dependencies';

interface Times {
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
}

export interface AccountObject extends Times {
  readonly id: string;
  readonly accountId: string;
  readonly version: number;
}

/** The facts and functions that are needed to find an object. */
interface FoundKind<Entity> {
  readonly idKind: IdKind;
  /** The name for people, like `alert policy`. */
  readonly name: string;
  readonly store: Pick<VersionedStore<Entity>, 'find'>;
}

interface ListedKind<Entity, Shown> {
  /** The name of the list in its cursors, like `alert-policies`. */
  readonly list: string;
  readonly store: Pick<VersionedStore<Entity>, 'list'>;
  readonly present: (object: Entity) => Shown;
}

interface StoredKind<Entity> {
  /** The plural name for people, like `alert policies`. */
  readonly names: string;
  /** The name of the lock for creating an object, like `alertPolicies`. */
  readonly turn: string;
  /** Maximum number of objects per account. */
  readonly max: number;
  readonly store: Pick<VersionedStore<Entity>, 'count' | 'create' | 'remove'>;
}

/** Returns the object. Throws the same `not_found` if the id is unknown, malformed or of another account. */
export async function findObject<Entity>(
  { idKind, name, store }: FoundKind<Entity>,
  accountId: string,
  id: string,
): Promise<Entity> {
  const found = isId(idKind, id) ? await store.find(accountId, id) : null;
  if (found === null) throw new AppError('not_found', `There is no ${name} with this id.`);
  return found;
}

export async function getObject<Entity, Shown>(
  kind: FoundKind<Entity> & Pick<ListedKind<Entity, Shown>, 'present'>,
  accountId: string,
  id: string,
): Promise<Shown> {
  return kind.present(await findObject(kind, accountId, id));
}

/** Lists objects, newest first. */
export function listObjects<Entity extends { readonly id: string }, Shown>(
  { list, store, present }: ListedKind<Entity, Shown>,
  accountId: string,
  request: ListRequest,
): Promise<ListPage<Shown>> {
  const read = (query: Parameters<typeof store.list>[1]) => store.list(accountId, query);
  return readList({ accountId, list }, request, { read, present });
}

/** Returns the fields that every new object has. */
export function newObject(
  { clock, newId }: Pick<Dependencies, 'clock' | 'newId'>,
  { idKind }: Pick<FoundKind<unknown>, 'idKind'>,
  accountId: string,
): AccountObject {
  const nowMs = clock.now();
  return { id: newId(idKind), accountId, version: 1, createdAtMs: nowMs, updatedAtMs: nowMs };
}

/** Stores a new object. Throws `key_taken` and `limit_reached`. After any error, nothing is stored. */
export async function storeObject<Entity extends AccountObject>(
  needs: Pick<Dependencies, 'stores' | 'clock' | 'sleep' | 'randomBytes'>,
  { names, turn, max, store }: StoredKind<Entity>,
  object: Entity,
): Promise<void> {
  const { accountId, id, version } = object;
  const create = () =>
    runExclusively(needs, { accountId, kind: turn }, async () => {
      if ((await store.count(accountId)) >= max)
        throw new AppError('limit_reached', `An account may have at most ${max} ${names}.`);
      await store.create(accountId, object);
    });
  // The undo runs without the lock, so that other callers need not wait.
  await runOrCompensate(needs, create, () => store.remove(accountId, id, version));
}

/**
 * A change of an object. `accept` throws `version_mismatch` if the stored version is not the version that the client
 * expects.
 */
export interface ObjectChange {
  readonly id: string;
  readonly accept: (version: number) => void;
}

/** A change, and the account of the changed object. */
export interface OwnedChange extends ObjectChange {
  readonly accountId: string;
}

/** Accepts every version, for callers that do not expect a particular one. */
export const anyVersion: ObjectChange['accept'] = () => undefined;

type Retries = Pick<Dependencies, 'clock' | 'sleep'>;

/**
 * Changes the object. If another write changes the object at the same time, `accept` gets the newer version, and the
 * change is tried again unless `accept` throws.
 */
export function changeObject<Entity extends AccountObject>(
  needs: Retries,
  kind: FoundKind<Entity> & { readonly store: Pick<VersionedStore<Entity>, 'replace'> },
  { accountId, id, accept }: OwnedChange,
  change: (before: Entity) => Entity | Promise<Entity>,
): Promise<Entity> {
  return withOptimisticRetry(needs, async () => {
    const before = await findObject(kind, accountId, id);
    accept(before.version);
    const next = nextVersion(needs, before, await change(before));
    if (next === before) return before;
    return (await kind.store.replace(accountId, next, before.version)) ? next : OVERTAKEN;
  });
}

/** Returns the object with the next version. If nothing changes, returns `before` itself. */
export function nextVersion<Entity extends AccountObject>(
  { clock }: Pick<Dependencies, 'clock'>,
  before: Entity,
  changed: Entity,
): Entity {
  if (isSameJson(changed, before)) return before;
  return { ...changed, version: before.version + 1, updatedAtMs: clock.now() };
}

/** Removes the object. If `refuse` throws, nothing is removed. */
export async function removeObject<Entity extends AccountObject>(
  needs: Retries,
  kind: FoundKind<Entity> & { readonly store: Pick<VersionedStore<Entity>, 'remove'> },
  { accountId, id, accept }: OwnedChange,
  refuse: (object: Entity) => Promise<void> = async () => undefined,
): Promise<void> {
  await withOptimisticRetry(needs, async () => {
    const object = await findObject(kind, accountId, id);
    accept(object.version);
    await refuse(object);
    const isRemoved = await kind.store.remove(accountId, id, object.version);
    return isRemoved ? undefined : OVERTAKEN;
  });
}

/**
 * Returns the object as responses show it: with formatted times, but without its account and without the set that
 * manages it.
 */
export function presentObject<Entity extends AccountObject & { readonly managedBy?: string }>({
  accountId: _account,
  managedBy: _set,
  createdAtMs,
  updatedAtMs,
  ...shown
}: Entity) {
  return { ...shown, createdAt: toInstant(createdAtMs), updatedAt: toInstant(updatedAtMs) };
}

/**
 * Applies resources that are described by a `ObjectType` record. The record defines how objects are found, planned and
 * stored.
 */
import { AppError } from '../../platform/errors';
import {
  type BoundObjectType,
  buildEntry,
  type Entry,
  type ObjectType,
  readEntry,
  removeTypedObject,
  replaceBound,
  storeTypedObject,
} from '../objects/object-type';
import { type AccountObject, anyVersion, newObject } from '../objects/object-verbs';
import {
  type ApplyKind,
  type ApplyRequest,
  type CarriedOut,
  type Existing,
  type ObjectPlan,
  toExisting,
  type Wish,
} from './apply-kind';

interface FiledObject extends AccountObject {
  readonly key: string | null;
  readonly managedBy?: string;
  /** The name. Absent for an object that has a title instead. */
  readonly name?: string;
  readonly title?: string;
}

interface FiledBody {
  readonly key: string | null;
}

interface Filing<Entity extends FiledObject, Body> extends ApplyRequest {
  readonly bound: BoundObjectType<Entity, Body, unknown>;
  /** Existing and planned objects, by id. */
  readonly known: Map<string, Entity>;
}

export function createObjectKind<Entity extends FiledObject, Body extends FiledBody>(
  request: ApplyRequest,
  thing: ObjectType<Entity, Body>,
  known = new Map<string, Entity>(),
): ApplyKind {
  const { needs, accountId } = request;
  const bound = thing.bind(needs);
  const filing: Filing<Entity, Body> = { ...request, bound, known };
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (bound.isPlannedInTurn !== true) return work();
    const planned = last.then(work);
    last = planned.catch(() => undefined);
    return planned;
  };
  return {
    list: thing.plural,
    async load() {
      const all = await listAll(bound, accountId);
      known.clear();
      for (const object of all) known.set(object.id, object);
      return Promise.all(all.map((object) => findExisting(filing, object)));
    },
    plan: (wish) => inTurn(() => planObject(filing, wish)),
    check: (wish) => inTurn(() => checkObject(filing, wish)),
    remove: (id) => removeTypedObject(needs, thing, { accountId, id, accept: anyVersion }),
    forget: (id) => known.delete(id),
    readDefaults: async () => thing.defaults,
  };
}

async function listAll<Entity, Body>(
  { listAll: list, store, max }: BoundObjectType<Entity, Body, unknown>,
  accountId: string,
): Promise<readonly Entity[]> {
  if (list !== undefined) return list(accountId);
  return (await store.list(accountId, { limit: max, beforeId: null })).items;
}

async function findExisting<Entity extends FiledObject, Body>(
  { bound, apply }: Filing<Entity, Body>,
  object: Entity,
): Promise<Existing> {
  const entry = await buildEntry(bound, object, apply);
  const existing = toExisting({ ...object, name: readName(object) }, entry);
  return { ...existing, isOver: bound.isOver?.(object) === true };
}

function readName({ id, title, name = title ?? id }: FiledObject): string {
  return name;
}

interface ReadWish<Entity, Body> {
  readonly body: Body;
  readonly stored: { readonly object: Entity; readonly entry: Entry } | null;
}

async function readWish<Entity extends FiledObject, Body extends FiledBody>(
  { bound, apply, known }: Filing<Entity, Body>,
  { entry: { id: _id, ...sent }, existing }: Wish,
): Promise<ReadWish<Entity, Body>> {
  const object = existing === null ? undefined : known.get(existing.id);
  if (existing === null || object === undefined)
    return { body: await readEntry(bound, { sent, stored: null }, apply), stored: null };
  const entry =
    bound.leavesOutDeleted === true ? await buildEntry(bound, object, apply) : existing.view;
  const stored = { object, entry };
  const body = await readEntry(bound, { sent, stored }, apply);
  return { body: { ...body, key: body.key ?? object.key }, stored };
}

async function planObject<Entity extends FiledObject, Body extends FiledBody>(
  filing: Filing<Entity, Body>,
  wish: Wish,
): Promise<ObjectPlan> {
  const { body, stored } = await readWish(filing, wish);
  return stored === null ? planNew(filing, body, wish.set) : planChange(filing, body, stored);
}

async function checkObject<Entity extends FiledObject, Body extends FiledBody>(
  filing: Filing<Entity, Body>,
  wish: Wish,
): Promise<void> {
  const { needs, accountId, bound, apply } = filing;
  const { body, stored } = await readWish(filing, wish);
  if (stored === null) await bound.build(newObject(needs, bound, accountId), body, apply);
  else await bound.change(stored.object, body, apply);
}

async function planNew<Entity extends FiledObject, Body>(
  filing: Filing<Entity, Body>,
  body: Body,
  set: string,
): Promise<ObjectPlan> {
  const { needs, accountId, bound, apply, known } = filing;
  const { max, names } = bound;
  const made = newObject(needs, bound, accountId);
  const object: Entity = { ...(await bound.build(made, body, apply)), managedBy: set };
  bound.refuseAmong?.(object, known);
  if (known.size >= max)
    throw new AppError('limit_reached', `An account may have at most ${max} ${names}.`);
  // From here on, other objects can refer to this object. If the object cannot be stored, it is removed from `known`
  // again.
  known.set(object.id, object);
  return {
    ...(await describe(filing, object)),
    before: null,
    carryOut: async () => {
      await orRestore(filing, { id: object.id }, () => storeTypedObject(needs, bound, object));
      return readCarriedOut(bound, object);
    },
  };
}

function readCarriedOut<Entity extends FiledObject, Body>(
  { readSigningSecret }: BoundObjectType<Entity, Body, unknown>,
  object: Entity,
): CarriedOut {
  const signingSecret = readSigningSecret?.(object) ?? null;
  return { id: object.id, ...(signingSecret !== null && { signingSecret }) };
}

async function planChange<Entity extends FiledObject, Body>(
  filing: Filing<Entity, Body>,
  body: Body,
  { object: before, entry }: { readonly object: Entity; readonly entry: Entry },
): Promise<ObjectPlan> {
  const { bound, apply, known } = filing;
  const { id, accountId } = before;
  const object = await bound.change(before, body, apply);
  bound.refuseAmong?.(object, known);
  known.set(id, object);
  return {
    ...(await describe(filing, object)),
    before: entry,
    hidden: bound.listHidden?.(before, object) ?? [],
    carryOut: async () => {
      const change = { accountId, id, body, accept: anyVersion };
      await orRestore(filing, { id, before }, () => replaceBound(bound, change, apply));
      return { id };
    },
  };
}

async function describe<Entity extends FiledObject, Body>(
  { bound, apply }: Filing<Entity, Body>,
  object: Entity,
): Promise<Pick<ObjectPlan, 'name' | 'after' | 'secretNames'>> {
  const after: Entry = await buildEntry(bound, object, apply);
  return { name: readName(object), after, secretNames: bound.listSecretNames?.(object) ?? [] };
}

/**
 * Stores the change. After an error, restores the entry in `known`, so that other objects of the set find the stored
 * object again.
 */
async function orRestore<Entity extends FiledObject, Body>(
  { known }: Filing<Entity, Body>,
  { id, before }: { readonly id: string; readonly before?: Entity },
  store: () => Promise<unknown>,
): Promise<void> {
  try {
    await store();
  } catch (error) {
    if (before === undefined) known.delete(id);
    else known.set(id, before);
    throw error;
  }
}

/**
 * A record that describes one type of resource: its names, body, store, responses, and form in files. The routes of the
 * resource, apply and export all use this record.
 */
import type { ZodType } from 'zod';
import type { DependencyNode } from '../../domain/definitions/dependencies';
import type { FieldChange } from '../../domain/definitions/field-changes';
import type { IdKind } from '../../domain/definitions/ids';
import type { AuditActor } from '../../models/accounts/audit';
import type { AlertChannel } from '../../models/alerting/alert-channels';
import type { VersionedStore } from '../../models/store/versioned-store';
import type { Stores } from '../../models/stores';
import { AppError } from '../../platform/errors';
import type { SetList } from '../../schemas/apply';
import type { CheckedShape } from '../../schemas/issues';
import { readRecord } from '../../schemas/loose';
import { withoutFields } from '../../schemas/read-only';
import { refuseProblems } from '../lists/field-problems';
import { readChange } from '../lists/read-change';
import type { Dependencies } from '../ports/dependencies';
import {
  type AccountObject,
  changeObject,
  findObject,
  newObject,
  type ObjectChange,
  type OwnedChange,
  removeObject,
  storeObject,
} from './object-verbs';

/** The fields of an object in a body or a file, not validated yet. */
export type Entry = Readonly<Record<string, unknown>>;

/** The account, and the person or key that changes it. */
export interface Changer {
  readonly accountId: string;
  readonly actor: AuditActor;
}

/** Describes the other objects of the same request, for functions that build or change an object. */
export interface ChangeContext {
  /** The dependencies. Their stores also find objects that the request has planned but not stored yet. */
  readonly needs: Dependencies;
  readonly actor: AuditActor;
  /** Channels by id. Objects can refer to these channels. */
  readonly channels: ReadonlyMap<string, AlertChannel>;
  /** Maps the keys of channels in the request to their future ids. */
  readonly plannedChannels: ReadonlyMap<string, string>;
  /** Monitors and scenarios by id. Objects can refer to these resources. */
  readonly resources: ReadonlyMap<string, Pick<DependencyNode, 'kind' | 'key'>>;
  /** Ids of the existing objects that the request contains. */
  readonly statedIds: ReadonlySet<string>;
  /** Ids of the existing objects that the request changes or deletes. */
  readonly ownIds: ReadonlySet<string>;
  /**
   * Collects functions that start rollouts after everything is stored. If the list is absent, rollouts start at once.
   */
  readonly follow?: (() => Promise<unknown>)[];
}

interface ObjectFacts<Entity, Body> {
  readonly idKind: IdKind;
  /** The name for people, like `alert policy`. */
  readonly name: string;
  /** The plural name for people, like `alert policies`. */
  readonly names: string;
  /** The name of the list in its cursors, like `alert-policies`. */
  readonly list: string;
  /** The name of the list in sets, like `alertPolicies`. */
  readonly plural: SetList;
  /** Maximum number of objects per account. If absent, `create` itself enforces a limit. */
  readonly max?: number;
  readonly shape: ZodType<Body> | CheckedShape<ZodType<Body>>;
  /** Fields of the response that a body cannot have. */
  readonly readOnlyFields: readonly string[];
  /** Defaults of the fields that a body may leave out. */
  readonly defaults: Entry;
  readonly getStore: (stores: Stores) => VersionedStore<Entity>;
}

interface ObjectVerbs<Entity, Body, Shown> {
  readonly present: (object: Entity) => Shown;
  /** Lists all objects of the account. If absent, the store lists them, newest first. */
  readonly listAll?: (accountId: string) => Promise<readonly Entity[]>;
  /** Builds a new object without storing it. */
  readonly build: (
    made: AccountObject,
    body: Body,
    context: ChangeContext,
  ) => Entity | Promise<Entity>;
  /** Builds the changed object without storing it. Returns `before` itself if nothing changes. */
  readonly change: (before: Entity, body: Body, context: ChangeContext) => Entity | Promise<Entity>;
  /** Stores a new object. If absent, storeObject is used. */
  readonly create?: (object: Entity) => Promise<void>;
  readonly afterChange?: (after: Entity, before: Entity) => Promise<void>;
  /** Replaces an object. If absent, changeObject is used with `change`, followed by `afterChange`. */
  readonly replace?: (change: BodyChange<Body>, context: ChangeContext) => Promise<Entity>;
  /** Removes an object. If absent, removeObject is used after `refuseRemoval`. */
  readonly remove?: (change: OwnedChange) => Promise<void>;
  readonly refuseRemoval?: (object: Entity) => Promise<void>;
  /** Builds the entry in a file, which names objects by key. If absent, the body is used. */
  readonly buildEntry?: (object: Entity, context: ChangeContext) => Entry | Promise<Entry>;
  /** Converts an entry of a file to a body. If absent, the entry is already a body. */
  readonly readEntry?: (
    sent: Entry,
    stored: StoredEntry<Entity> | null,
    context: ChangeContext,
  ) => Body | Promise<Body>;
  /** Throws if the object may not be in the same file as the other known objects. */
  readonly refuseAmong?: (object: Entity, known: ReadonlyMap<string, Entity>) => void;
  /** Describes changes of secret values. */
  readonly listHidden?: (before: Entity, after: Entity) => readonly FieldChange[];
  readonly listSecretNames?: (object: Entity) => readonly string[];
  /** Returns the signing secret of a new webhook, which is shown once. */
  readonly readSigningSecret?: (object: Entity) => string | null;
  /** True if the object is over, like a past maintenance window. Such an object is exported only if it has a key. */
  readonly isOver?: (object: Entity) => boolean;
  /**
   * Set for objects from which references to deleted objects are removed. Changes of such an object are computed after
   * the removal.
   */
  readonly leavesOutDeleted?: true;
  /** True means that the objects of a file are planned one after the other. */
  readonly isPlannedInTurn?: true;
}

interface StoredEntry<Entity> {
  readonly object: Entity;
  readonly entry: Entry;
}

export interface BodyChange<Body> extends OwnedChange {
  readonly body: Body;
}

/** A thing, combined with its dependencies. */
export interface BoundObjectType<Entity, Body, Shown>
  extends ObjectFacts<Entity, Body>,
    ObjectVerbs<Entity, Body, Shown> {
  readonly max: number;
  /** The name of the lock for creating an object. */
  readonly turn: string;
  readonly store: VersionedStore<Entity>;
}

export interface ObjectType<Entity, Body, Shown = unknown> extends ObjectFacts<Entity, Body> {
  readonly bind: (needs: Dependencies) => BoundObjectType<Entity, Body, Shown>;
}

export function defineObjectType<Entity, Body, Shown>(
  facts: ObjectFacts<Entity, Body>,
  getVerbs: (needs: Dependencies) => ObjectVerbs<Entity, Body, Shown>,
): ObjectType<Entity, Body, Shown> {
  const { max = Number.POSITIVE_INFINITY } = facts;
  return {
    ...facts,
    bind: (needs) => ({
      ...facts,
      ...getVerbs(needs),
      max,
      turn: facts.plural,
      store: facts.getStore(needs.stores),
    }),
  };
}

/** Returns the object. Throws the same `not_found` if the id is unknown, malformed or of another account. */
export function findTypedObject<Entity, Body, Shown>(
  { stores }: Pick<Dependencies, 'stores'>,
  { idKind, name, getStore }: ObjectType<Entity, Body, Shown>,
  { accountId, id }: Pick<OwnedChange, 'accountId' | 'id'>,
): Promise<Entity> {
  return findObject({ idKind, name, store: getStore(stores) }, accountId, id);
}

/** Returns the context of a request about a single object. */
function singleContext(needs: Dependencies, actor: AuditActor): ChangeContext {
  return {
    needs,
    actor,
    channels: new Map(),
    plannedChannels: new Map(),
    resources: new Map(),
    statedIds: new Set(),
    ownIds: new Set(),
  };
}

/**
 * Creates and stores an object. Throws the errors of `build`, `key_taken` and `limit_reached`. After one of these
 * errors, nothing is stored.
 */
export async function createTypedObject<Entity extends AccountObject, Body, Shown>(
  needs: Dependencies,
  thing: ObjectType<Entity, Body, Shown>,
  { accountId, actor }: Changer,
  body: Body,
): Promise<Entity> {
  const bound = thing.bind(needs);
  const made = newObject(needs, thing, accountId);
  const object = await bound.build(made, body, singleContext(needs, actor));
  await storeTypedObject(needs, bound, object);
  return object;
}

export function storeTypedObject<Entity extends AccountObject, Body, Shown>(
  needs: Dependencies,
  bound: BoundObjectType<Entity, Body, Shown>,
  object: Entity,
): Promise<void> {
  return bound.create?.(object) ?? storeObject(needs, bound, object);
}

/** Replaces the whole object. Throws the errors of `change`, and `version_mismatch`. */
export function replaceTypedObject<Entity extends AccountObject, Body, Shown>(
  needs: Dependencies,
  thing: ObjectType<Entity, Body, Shown>,
  { accountId, actor }: Changer,
  { id, accept, body }: ObjectChange & { readonly body: Body },
): Promise<Entity> {
  const change = { accountId, id, accept, body };
  return replaceBound(thing.bind(needs), change, singleContext(needs, actor));
}

export async function replaceBound<Entity extends AccountObject, Body, Shown>(
  bound: BoundObjectType<Entity, Body, Shown>,
  change: BodyChange<Body>,
  context: ChangeContext,
): Promise<Entity> {
  if (bound.replace !== undefined) return bound.replace(change, context);
  let before: Entity | undefined;
  const after = await changeObject(context.needs, bound, change, (stored) => {
    before = stored;
    return bound.change(stored, change.body, context);
  });
  if (before !== undefined && after !== before) await bound.afterChange?.(after, before);
  return after;
}

/** Removes the object. Throws `in_use` while other objects need it. */
export function removeTypedObject<Entity extends AccountObject, Body, Shown>(
  needs: Dependencies,
  thing: ObjectType<Entity, Body, Shown>,
  change: OwnedChange,
): Promise<void> {
  const bound = thing.bind(needs);
  return bound.remove?.(change) ?? removeObject(needs, bound, change, bound.refuseRemoval);
}

/** Builds the entry that describes the object in a file. */
export async function buildEntry<Entity, Body, Shown>(
  bound: BoundObjectType<Entity, Body, Shown>,
  object: Entity,
  context: ChangeContext,
): Promise<Entry> {
  if (bound.buildEntry !== undefined) return bound.buildEntry(object, context);
  return readRecord(withoutFields(bound.present(object), bound.readOnlyFields));
}

/** Returns the body that an entry of a file describes. Throws one error with every problem. */
export async function readEntry<Entity, Body, Shown>(
  bound: BoundObjectType<Entity, Body, Shown>,
  { sent, stored }: { readonly sent: Entry; readonly stored: StoredEntry<Entity> | null },
  context: ChangeContext,
): Promise<Body> {
  if (bound.readEntry !== undefined) return bound.readEntry(sent, stored, context);
  return readChange(bound.shape, { sent, stored: stored?.entry });
}

/**
 * Throws if the key would change, because other objects refer to the object by its key. `another` completes the
 * message, for example with `another policy`.
 */
export function refuseOtherKey(key: string, wanted: string, another: string): void {
  if (wanted === key) return;
  const message = `cannot be changed from ${key}; create ${another} instead`;
  refuseProblems([{ path: 'key', code: 'invalid_value', message }]);
}

const NAMED_MAX = 20;

interface UsedBy {
  readonly id: string;
  readonly name: string;
}

/** Throws `in_use` if `users` is not empty. The error names these objects. */
export function refuseUsed(
  users: readonly UsedBy[],
  message: string,
  explain = ({ name }: UsedBy) => `is used by “${name}”`,
): void {
  if (users.length === 0) return;
  const errors = users
    .slice(0, NAMED_MAX)
    .map((user) => ({ path: user.id, code: 'in_use', message: explain(user) }));
  throw new AppError('in_use', message, { errors });
}

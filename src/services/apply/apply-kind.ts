/** Describes, for each kind of object, how apply and export load, plan and remove its objects. */
import type { FieldChange } from '../../domain/definitions/field-changes';
import type { SetList } from '../../schemas/apply';
import type { Entry } from '../objects/object-type';
import type { Dependencies } from '../ports/dependencies';
import type { ApplyNeeds } from './apply-needs';

export interface Existing {
  readonly id: string;
  readonly key: string | null;
  readonly name: string;
  /** The set with which apply created the object. null for objects created in another way. */
  readonly managedBy: string | null;
  /** The definition of the object as a request body, without secrets. */
  readonly view: Entry;
  /** Set only for an object with a profile. Contains the values that a file contains. */
  readonly layers?: {
    /** The fields that cannot be inherited from the profile. */
    readonly shared: Entry;
    /** Values of inheritable fields that the object itself sets. */
    readonly own: Entry;
  };
  /** True if the object is over, like a past maintenance window. Such an object is exported only if it has a key. */
  readonly isOver?: boolean;
}

interface Owned {
  readonly id: string;
  readonly key: string | null;
  readonly managedBy?: string;
}

/** Builds an existing object from a stored object. Its definition has the form of a request body. */
export function toExisting(
  { id, key, managedBy, ...named }: Owned & { readonly name: string },
  view: Entry,
): Existing {
  return { id, key, name: named.name, managedBy: managedBy ?? null, view };
}

/** The result of carrying out a plan, without the definition of the object. */
export interface CarriedOut {
  readonly id: string;
  /** The signing secret of a new webhook, which is shown once. */
  readonly signingSecret?: string;
}

export interface ObjectPlan {
  readonly name: string;
  /** The definition before the change. null if the object does not exist yet. */
  readonly before: Entry | null;
  readonly after: Entry;
  /** Descriptions of changes to secret values. */
  readonly hidden?: readonly FieldChange[];
  /** Names of the secrets that the object uses. */
  readonly secretNames?: readonly string[];
  /**
   * Called in a dry run. Throws if the plan would exceed a limit of the account. The count includes the objects that
   * the dry run has already planned.
   */
  readonly rehearse?: () => Promise<void>;
  /** True means that `carryOut` retries by itself, so the caller must not retry. */
  readonly hasOwnRetries?: true;
  readonly carryOut: () => Promise<CarriedOut>;
}

export interface ApplyRequest {
  /** The dependencies for stored objects. To find planned objects as well, use `apply.needs`. */
  readonly needs: Dependencies;
  readonly accountId: string;
  readonly apply: ApplyNeeds;
}

export interface Wish {
  readonly entry: Entry;
  /** The stored object. null if the object will be created. */
  readonly existing: Existing | null;
  readonly set: string;
}

export interface ApplyKind {
  readonly list: SetList;
  /** Loads all objects of this kind in the account. Plans are based on the last load. */
  readonly load: () => Promise<readonly Existing[]>;
  /** Plans an entry. Throws the same errors as the API routes of the kind. */
  readonly plan: (wish: Wish) => Promise<ObjectPlan>;
  /**
   * Throws the problems of an entry's body. Used for an entry whose key is refused. Unlike `plan`, records nothing, so
   * other entries cannot refer to this entry. Absent for a list that is stored as one object.
   */
  readonly check?: (wish: Wish) => Promise<void>;
  /** Removes an object. Throws `not_found` if it no longer exists. */
  readonly remove: (id: string) => Promise<void>;
  /**
   * Called for each object that the set will delete (prune). From then on, other objects of the set cannot refer to it.
   */
  readonly forget?: (id: string) => void;
  /** Set for a list that is stored as one object, such as the alert routes. */
  readonly whole?: {
    /** Returns the list as one entry. Returns no entry if the list is empty. */
    readonly join: (list: readonly Entry[]) => readonly Entry[];
    readonly split: (entry: Entry) => readonly Entry[];
  };
  /** Returns the defaults of the fields that a body may leave out. */
  readonly readDefaults: () => Promise<Entry>;
}

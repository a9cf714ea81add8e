/** What apply and export need from each kind of object: how to load, plan and remove objects. */
import type { FieldChange } from '../../domain/definitions/field-changes';
import type { SetList } from '../../schemas/apply';
import type { Entry } from '../objects/thing';
import type { Dependencies } from '../ports/dependencies';
import type { ApplyNeeds } from './apply-needs';

export interface Existing {
  readonly id: string;
  readonly key: string | null;
  readonly name: string;
  /** The set under which apply created it; null for objects created in another way. */
  readonly managedBy: string | null;
  /** The definition of the object as a request body, without secrets. */
  readonly view: Entry;
  /** Only for an object with a profile: the values that a file contains. */
  readonly layers?: {
    /** Fields that cannot be inherited. */
    readonly shared: Entry;
    /** The object's own values of the other fields. */
    readonly own: Entry;
  };
  /** True means that the object has ended, and is exported only with a key. */
  readonly isOver?: boolean;
}

interface Owned {
  readonly id: string;
  readonly key: string | null;
  readonly managedBy?: string;
}

/** A stored object, with its definition in the form of a request body. */
export function toExisting(
  { id, key, managedBy, ...named }: Owned & { readonly name: string },
  view: Entry,
): Existing {
  return { id, key, name: named.name, managedBy: managedBy ?? null, view };
}

/** Result of carrying out a plan, apart from the definition of the object. */
export interface CarriedOut {
  readonly id: string;
  /** Set for a new webhook, and shown once. */
  readonly signingSecret?: string;
}

export interface ObjectPlan {
  readonly name: string;
  /** null if the object does not exist yet. */
  readonly before: Entry | null;
  readonly after: Entry;
  /** Changes of hidden values, in words. */
  readonly hidden?: readonly FieldChange[];
  /** Names of the secrets that the object uses. */
  readonly secretNames?: readonly string[];
  /**
   * Throws if carrying out the plan would exceed a limit of the account, counting the objects that were rehearsed
   * before.
   */
  readonly rehearse?: () => Promise<void>;
  /** True means that `carryOut` retries by itself, so the caller must not. */
  readonly hasOwnRetries?: true;
  readonly carryOut: () => Promise<CarriedOut>;
}

/** A request about a set. */
export interface ApplyRequest {
  /** Finds stored objects, `apply.needs` also planned ones. */
  readonly needs: Dependencies;
  readonly accountId: string;
  readonly apply: ApplyNeeds;
}

export interface Wish {
  readonly entry: Entry;
  /** null if the object is to be created. */
  readonly existing: Existing | null;
  readonly set: string;
}

export interface ApplyKind {
  readonly list: SetList;
  /** Loads all objects of this kind in the account. Plans are based on the last load. */
  readonly load: () => Promise<readonly Existing[]>;
  /** Throws the same errors as the API routes of the kind. */
  readonly plan: (wish: Wish) => Promise<ObjectPlan>;
  /** Throws `not_found` if the object no longer exists. */
  readonly remove: (id: string) => Promise<void>;
  /** Called for an object that will be pruned: objects of the set can no longer refer to it. */
  readonly forget?: (id: string) => void;
  /** Only for a list that is one object as a whole. */
  readonly whole?: {
    /** The list as one entry; none if it is empty. */
    readonly join: (list: readonly Entry[]) => readonly Entry[];
    readonly split: (entry: Entry) => readonly Entry[];
  };
  /** Defaults of the fields that a body may omit. */
  readonly readDefaults: () => Promise<Entry>;
}

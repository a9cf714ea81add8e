/**
 * What apply and export know of a kind of object: how to read what is there, how to plan one object,
 * how to remove one. It decides nothing about the set as a whole.
 */
import type { FieldChange } from '../../domain/definitions/field-changes';
import type { SetList } from '../../schemas/apply';

export const OBJECT_KINDS = {
  alertChannels: 'alertChannel',
  alertPolicies: 'alertPolicy',
  alertRoutes: 'alertRoutes',
  hours: 'hours',
  maintenanceWindows: 'maintenanceWindow',
  monitors: 'monitor',
  scenarios: 'scenario',
  statusPages: 'statusPage',
} as const satisfies Record<SetList, string>;

/** One object as somebody sent it; its shape is not checked yet. */
export type Entry = Readonly<Record<string, unknown>>;

/** An object of the account. */
export interface Existing {
  readonly id: string;
  readonly key: string | null;
  readonly name: string;
  /** The set under which apply made it; null for what was made otherwise. */
  readonly managedBy: string | null;
  /** Its definition as a body has it, without secrets. */
  readonly view: Entry;
  /** Nothing is left of it; not worth an export unless it has a key. */
  readonly isOver?: boolean;
}

interface Owned {
  readonly id: string;
  readonly key: string | null;
  readonly managedBy?: string;
}

/** A stored object, with its definition as a body has it. */
export function existingOf(
  { id, key, managedBy, ...named }: Owned & { readonly name: string },
  view: Entry,
): Existing {
  return { id, key, name: named.name, managedBy: managedBy ?? null, view };
}

/** What became of an object beside its definition. */
export interface CarriedOut {
  readonly id: string;
  /** Of a new webhook; shown this once. */
  readonly signingSecret?: string;
}

export interface ObjectPlan {
  readonly name: string;
  /** null: it is not there yet. */
  readonly before: Entry | null;
  readonly after: Entry;
  /** Changes of what is never shown, with words instead of values. */
  readonly hidden?: readonly FieldChange[];
  /** Secrets that it names. */
  readonly secretNames?: readonly string[];
  /** Throws what carrying it out would of the plan's bounds, after those rehearsed before. */
  readonly rehearse?: () => Promise<void>;
  /** It is patient by itself: what it throws for is not tried again as it was planned. */
  readonly isPatient?: true;
  readonly carryOut: () => Promise<CarriedOut>;
}

/** The plan of a new object, which can be named by others until storing it fails. */
export function planOfNew<Entity extends { readonly id: string }>(
  object: Entity,
  known: Map<string, Entity>,
  store: () => Promise<unknown>,
): Pick<ObjectPlan, 'before' | 'carryOut'> {
  const { id } = object;
  known.set(id, object);
  return {
    before: null,
    carryOut: async () => {
      await store().catch((reason: unknown) => {
        known.delete(id);
        throw reason;
      });
      return { id };
    },
  };
}

export interface Wish {
  readonly entry: Entry;
  /** null: it is to be made. */
  readonly existing: Existing | null;
  readonly set: string;
}

export interface ApplyKind {
  readonly list: SetList;
  /** Everything of the account, as it is now; plans go by what was loaded last. */
  readonly load: () => Promise<readonly Existing[]>;
  /** Throws what the routes of the kind throw. */
  readonly plan: (wish: Wish) => Promise<ObjectPlan>;
  /** Throws `not_found` for what is gone. */
  readonly remove: (id: string) => Promise<void>;
  /** What a body of the kind means where it says nothing. */
  readonly readDefaults: () => Promise<Entry>;
}

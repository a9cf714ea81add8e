/** Kinds whose objects have a key, a name and a body. */
import { AppError } from '../../platform/errors';
import {
  type ApplyKind,
  type Entry,
  type Existing,
  type ObjectPlan,
  planCreation,
  toExisting,
} from './apply-kind';

interface Keyed {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly managedBy?: string;
}

interface KeyedParts<Entity extends Keyed, Body> extends Pick<ApplyKind, 'list' | 'remove'> {
  /** For people: `environments`. */
  readonly names: string;
  readonly max: number;
  readonly defaults: Entry;
  /** Existing and planned objects, by id. */
  readonly known: Map<string, Entity>;
  readonly listAll: () => Promise<readonly Entity[]>;
  /** The object in the form of a request body. */
  readonly buildView: (object: Entity) => Entry;
  /** Throws one error with every problem of the entry. */
  readonly readBody: (sent: Entry, stored: Entry | undefined) => Body;
  /** Builds a new object without storing it. */
  readonly build: (body: Body) => Promise<Entity> | Entity;
  readonly store: (object: Entity) => Promise<void>;
  /** The changed object, without storing it. Throws like `replace`. */
  readonly planChange: (before: Entity, body: Body) => Promise<Entity> | Entity;
  readonly replace: (id: string, body: Body) => Promise<unknown>;
}

export function keyedKind<Entity extends Keyed, Body>({
  list,
  remove,
  ...parts
}: KeyedParts<Entity, Body>): ApplyKind {
  const { known, defaults, listAll, buildView, readBody } = parts;
  return {
    list,
    async load() {
      const all = await listAll();
      known.clear();
      for (const object of all) known.set(object.id, object);
      return all.map((object) => toExisting(object, buildView(object)));
    },
    plan: async ({ entry: { id: _id, ...sent }, existing, set }) => {
      const body = readBody(sent, existing?.view);
      const before = existing === null ? undefined : known.get(existing.id);
      return existing === null || before === undefined
        ? planNew(parts, body, set)
        : planChange(parts, body, { existing, before });
    },
    remove,
    forget: (id) => known.delete(id),
    readDefaults: async () => defaults,
  };
}

type Frame<Entity extends Keyed, Body> = Omit<KeyedParts<Entity, Body>, 'list' | 'remove'>;

async function planNew<Entity extends Keyed, Body>(
  { known, max, names, build, store, buildView }: Frame<Entity, Body>,
  body: Body,
  set: string,
): Promise<ObjectPlan> {
  if (known.size >= max)
    throw new AppError('limit_reached', `An account may have at most ${max} ${names}.`);
  const object = { ...(await build(body)), managedBy: set };
  const plan = planCreation(object, known, () => store(object));
  return { ...plan, name: object.name, after: buildView(object) };
}

async function planChange<Entity extends Keyed, Body>(
  { known, buildView, replace, ...parts }: Frame<Entity, Body>,
  body: Body,
  { existing: { id, view }, before }: { readonly existing: Existing; readonly before: Entity },
): Promise<ObjectPlan> {
  const object = await parts.planChange(before, body);
  known.set(id, object);
  return {
    name: object.name,
    before: view,
    after: buildView(object),
    carryOut: async () => {
      await replace(id, body);
      return { id };
    },
  };
}

/** Everything of an account as a set that apply takes; applied again, it changes nothing. */

import { isNetworkKind } from '../../contracts/kinds';
import { readDefaults } from '../../kinds/shapes';
import { canonicalJson } from '../../platform/canonical-json';
import type { SetList } from '../../schemas/apply';
import { recordOf } from '../../schemas/loose';
import type { Dependencies } from '../ports/dependencies';
import type { ApplyKind, Entry, Existing } from './apply-kind';
import { routeEntries } from './apply-routes';
import { applyKinds } from './apply-set';

export type ExportedSet = Readonly<Record<SetList, readonly Entry[]>>;

export interface ExportRequest {
  /** Only what apply made under this name. */
  readonly set?: string | undefined;
  /** Only what has the tag. */
  readonly tag?: string | undefined;
}

/** Stated even where it is what a new object gets. */
const ALWAYS_STATED: readonly string[] = ['name', 'url', 'steps', 'regions', 'type', 'isDefault'];

/** Without secrets, and without the fields that are as a new object has them. */
export async function exportSet(
  needs: Dependencies,
  accountId: string,
  request: ExportRequest,
): Promise<ExportedSet> {
  const lists: Record<SetList, readonly Entry[]> = {
    alertChannels: [],
    alertPolicies: [],
    alertRoutes: [],
    hours: [],
    maintenanceWindows: [],
    monitors: [],
    scenarios: [],
    statusPages: [],
  };
  // Channels come first in this order, so that the others can go by their keys.
  for (const kind of applyKinds(needs, accountId))
    lists[kind.list] = await exportList(kind, request);
  lists.alertRoutes = lists.alertRoutes.flatMap(routeEntries);
  return lists;
}

async function exportList(kind: ApplyKind, { set, tag }: ExportRequest): Promise<readonly Entry[]> {
  const existing = await kind.load();
  const defaults = existing.length === 0 ? {} : await kind.readDefaults();
  return existing
    .filter(({ key, isOver }) => key !== null || isOver !== true)
    .filter(({ managedBy }) => set === undefined || managedBy === set)
    .filter(({ view }) => tag === undefined || hasTag(view, tag))
    .map((object) => entryOf(object, defaults));
}

function hasTag({ tags }: Entry, tag: string): boolean {
  return Array.isArray(tags) && tags.includes(tag);
}

/** By key; what has none goes by its id, and is the same only in this account. */
function entryOf({ id, key, view }: Existing, defaults: Entry): Entry {
  const { key: _key, steps, ...definition } = withoutDefaults(view, defaults);
  const [step] = Array.isArray(defaults['steps']) ? defaults['steps'] : [];
  const said = Array.isArray(steps)
    ? { steps: steps.map((given: unknown) => stepOf(recordOf(given), recordOf(step))) }
    : {};
  return { ...(key === null ? { id } : { key }), ...definition, ...said };
}

/** A step without a type is a request. */
function stepOf({ type, ...given }: Entry, defaults: Entry): Entry {
  if (!isNetworkKind(type)) return withoutDefaults(given, defaults);
  return { type, ...withoutDefaults(given, { ...readDefaults(type), ...defaults }) };
}

function withoutDefaults(entry: Entry, defaults: Entry): Entry {
  return Object.fromEntries(
    Object.entries(entry).filter(
      ([name, value]) =>
        ALWAYS_STATED.includes(name) || canonicalJson(value) !== canonicalJson(defaults[name]),
    ),
  );
}

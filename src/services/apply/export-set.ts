/** Exports all objects of an account as a set. Applying the exported set changes nothing. */

import { isNetworkKind } from '../../contracts/kinds';
import { readDefaults } from '../../kinds/shapes';
import { isSameJson } from '../../platform/canonical-json';
import { mapInSlices } from '../../platform/slices';
import type { SetList } from '../../schemas/apply';
import { readRecord } from '../../schemas/loose';
import type { Entry } from '../objects/object-type';
import type { Dependencies } from '../ports/dependencies';
import type { ApplyKind, Existing } from './apply-kind';
import { applyKinds } from './apply-set';

export type ExportedSet = Readonly<Record<SetList, readonly Entry[]>>;

export interface ExportRequest {
  /** Selects only objects that apply created for this set. */
  readonly set?: string | undefined;
  /** Selects only objects with this tag. */
  readonly tag?: string | undefined;
}

/** Fields that are exported even if they have the default value. */
const ALWAYS_STATED: readonly string[] = ['name', 'url', 'steps', 'regions', 'type', 'isDefault'];

/** Exports definitions without secrets and without default values. */
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
    profiles: [],
    maintenanceWindows: [],
    monitors: [],
    scenarios: [],
    statusPages: [],
    variables: [],
    environments: [],
  };
  // Channels come first, so that other objects can refer to them by key.
  for (const kind of applyKinds(needs, accountId)) {
    const entries = await exportList(kind, request);
    lists[kind.list] = kind.whole === undefined ? entries : entries.flatMap(kind.whole.split);
  }
  return lists;
}

async function exportList(kind: ApplyKind, { set, tag }: ExportRequest): Promise<readonly Entry[]> {
  const existing = await kind.load();
  const defaults = existing.length === 0 ? {} : await kind.readDefaults();
  const exported = existing
    .filter(({ key, isOver }) => key !== null || isOver !== true)
    .filter(({ managedBy }) => set === undefined || managedBy === set)
    .filter(({ view }) => tag === undefined || hasTag(view, tag));
  return mapInSlices(exported, (object) => buildEntry(object, defaults));
}

function hasTag({ tags }: Entry, tag: string): boolean {
  return Array.isArray(tags) && tags.includes(tag);
}

/**
 * Builds an entry. The entry contains the key of the object. If the object has no key, the entry contains its id, which
 * is valid only in this account.
 */
function buildEntry({ id, key, view, layers }: Existing, defaults: Entry): Entry {
  const stated = { ...withoutDefaults(layers?.shared ?? view, defaults), ...layers?.own };
  const { key: _key, steps, ...definition } = stated;
  const [step] = Array.isArray(defaults['steps']) ? defaults['steps'] : [];
  const said = Array.isArray(steps)
    ? { steps: steps.map((given: unknown) => buildStep(readRecord(given), readRecord(step))) }
    : {};
  return { ...(key === null ? { id } : { key }), ...definition, ...said };
}

/** Builds a step. The type of an HTTP step is left out, because a step without a type is an HTTP request. */
function buildStep({ type, ...given }: Entry, defaults: Entry): Entry {
  if (!isNetworkKind(type)) return withoutDefaults(given, defaults);
  return { type, ...withoutDefaults(given, { ...readDefaults(type), ...defaults }) };
}

function withoutDefaults(entry: Entry, defaults: Entry): Entry {
  return Object.fromEntries(
    Object.entries(entry).filter(
      ([name, value]) => ALWAYS_STATED.includes(name) || !isSameJson(value, defaults[name]),
    ),
  );
}

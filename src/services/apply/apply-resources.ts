/** Monitors and scenarios of a set. Turns an entry into the resource that it describes, and finds the differences. */
import type { FieldChange } from '../../domain/definitions/field-changes';
import { pickOwn } from '../../domain/definitions/layers';
import { listReferencedSecrets } from '../../domain/secrets/secret-names';
import type { Resource } from '../../models/resources/resource';
import { mapInSlices } from '../../platform/slices';
import { readList } from '../../schemas/loose';
import { listInheritableNames } from '../../schemas/profiles/profile-fields';
import { requireInterval } from '../accounts/plan-limits';
import { retryThrown } from '../lists/retry-while-busy';
import { forgetResource } from '../maintenance/forget-resource';
import type { Entry } from '../objects/object-type';
import { composeLayered } from '../resources/compose-layered';
import { createDefinitionChange } from '../resources/definition-change';
import { followProfile } from '../resources/follow-profile';
import type { Kind, KindTypes } from '../resources/kind';
import { toBody, withChannelKeys } from '../resources/resolve-alerts';
import type { ResourcePort } from '../resources/resource-port';
import { buildFirstVersion } from '../resources/resource-verbs';
import {
  findLiveResource,
  findResource,
  removeResource,
  saveChange,
  saveNew,
} from '../resources/save-resource';
import { buildPlannedName, listDependenciesByKey, loadNodes, replan } from './apply-dependencies';
import {
  type ApplyKind,
  type ApplyRequest,
  type Existing,
  type ObjectPlan,
  toExisting,
  type Wish,
} from './apply-kind';
import type { ApplyNeeds } from './apply-needs';

const PAGE_SIZE = 500;

/** A kind of resource, with the data that is needed to read resources of this kind. */
interface Reading<Types extends KindTypes> {
  readonly accountId: string;
  readonly apply: ApplyNeeds;
  readonly kind: Kind<Types>;
  readonly buildView: (resource: Types['Resource']) => Entry;
}

export function createResourceKind<Types extends KindTypes>(
  { accountId, apply }: ApplyRequest,
  kind: Kind<Types>,
): ApplyKind {
  const { needs, resources } = apply;
  const known = new Map<string, Types['Resource']>();
  const reading: Reading<Types> = {
    accountId,
    apply,
    kind,
    buildView: (resource) => viewWithKeys(kind.present(resource, null), kind.readOnlyFields, apply),
  };
  return {
    list: `${kind.idKind}s`,
    async load() {
      await loadNodes(apply, accountId);
      const found = await readAll(kind, accountId);
      // Do not add an await below. Other objects are planned with this map at the same time.
      for (const id of known.keys()) resources.delete(id);
      known.clear();
      for (const resource of found) {
        known.set(resource.id, resource);
        resources.set(resource.id, { kind: kind.idKind, key: resource.key });
      }
      return mapInSlices([...known.values()], (resource) => {
        const view = reading.buildView(resource);
        return { ...toExisting(resource, view), ...readLayers(kind.idKind, resource, view) };
      });
    },
    async plan(wish) {
      const stored = wish.existing === null ? undefined : known.get(wish.existing.id);
      replan(needs, apply, { kind: kind.idKind, entry: wish.entry, storedId: stored?.id });
      return stored === undefined ? planNew(reading, wish) : planChange(reading, wish, stored);
    },
    async check({ entry, existing }) {
      const stored = existing === null ? undefined : known.get(existing.id);
      if (stored === undefined) await newResource(reading, entry);
      else await composeChange(reading, entry, stored);
    },
    async remove(id) {
      await removeResource(needs, kind, () => findResource(kind, accountId, id));
      await forgetResource(needs, accountId, id);
    },
    forget(id) {
      resources.delete(id);
      apply.nodes.delete(id);
    },
    readDefaults: async () =>
      reading.buildView(await newResource(reading, { ...kind.minimal, profile: null })),
  };
}

function newResource<Types extends KindTypes>(
  { accountId, apply, kind }: Reading<Types>,
  entry: Entry,
): Promise<Types['Resource']> {
  const id = apply.plannedResources.get(buildPlannedName(kind.idKind, entry));
  const sent = toBody(entry, apply);
  return buildFirstVersion(apply.needs, kind, { accountId, sent, ...(id !== undefined && { id }) });
}

async function planNew<Types extends KindTypes>(
  reading: Reading<Types>,
  { entry, set }: Wish,
): Promise<ObjectPlan> {
  const { accountId, apply, kind, buildView } = reading;
  const { needs, resources, reserve, usedUpIds } = apply;
  const resource: Types['Resource'] = { ...(await newResource(reading, entry)), managedBy: set };
  resources.set(resource.id, { kind: kind.idKind, key: resource.key });
  return {
    ...planUpdate(kind, resource, buildView(resource)),
    before: null,
    rehearse: async () => {
      await requireInterval(needs, accountId, resource.intervalSeconds);
      await reserve(accountId, `${kind.idKind}s`);
    },
    hasOwnRetries: true,
    carryOut: async () => {
      const retry = retryThrown(apply.retry);
      const saved = saveNew(needs, kind, resource, retry).catch((reason: unknown) => {
        resources.delete(resource.id);
        usedUpIds.add(resource.id);
        throw reason;
      });
      await saved;
      await followProfile(needs, kind, resource);
      return { id: resource.id };
    },
  };
}

function composeChange<Types extends KindTypes>(
  { accountId, apply, kind, buildView }: Reading<Types>,
  entry: Entry,
  stored: Types['Resource'],
) {
  return composeLayered(apply.needs, kind, {
    owner: { accountId, id: stored.id, stored },
    sent: toBody(entry, apply),
    change: { type: 'file' },
    view: toBody(buildView(stored), apply),
  });
}

async function planChange<Types extends KindTypes>(
  reading: Reading<Types>,
  { entry, existing }: Wish,
  stored: Types['Resource'],
): Promise<ObjectPlan> {
  const { accountId, apply, kind, buildView } = reading;
  const { needs, resources } = apply;
  const { body, fields } = await composeChange(reading, entry, stored);
  const hasRegions = isStated(entry, 'regions') || fields.fromProfile?.includes('regions') === true;
  const isEnabled = isStated(entry, 'enabled') ? body.enabled : null;
  const change = (previous: Types['Resource']): Types['Resource'] => {
    // Regions that a file leaves out stay unchanged. In a PUT, they would get their default.
    const regions = hasRegions ? fields.regions : previous.regions;
    const stated = { ...fields, regions, key: body.key ?? previous.key };
    return createDefinitionChange(needs, kind, { fields: stated, isEnabled })(previous);
  };
  const resource = change(stored);
  resources.set(resource.id, { kind: kind.idKind, key: resource.key });
  const find = () => findLiveResource(kind, accountId, resource.id);
  return {
    ...planUpdate(kind, resource, buildView(resource)),
    before: existing?.view ?? null,
    hidden: [...hiddenChanges(stored, resource), ...listOriginChanges(stored, resource)],
    rehearse: async () => {
      if (resource.intervalSeconds === stored.intervalSeconds) return;
      await requireInterval(needs, accountId, resource.intervalSeconds);
    },
    carryOut: async () => {
      await followProfile(needs, kind, await saveChange(needs, kind, { find, change }));
      return { id: resource.id };
    },
  };
}

function planUpdate<Entity extends Resource>(
  port: ResourcePort<Entity>,
  resource: Entity,
  after: Entry,
) {
  return {
    name: resource.name,
    after,
    secretNames: listReferencedSecrets(port.readDefinition(resource).steps),
  };
}

async function readAll<Entity extends Resource>(
  port: ResourcePort<Entity>,
  accountId: string,
): Promise<readonly Entity[]> {
  const all: Entity[] = [];
  for (let beforeId: string | null = null; ; beforeId = all.at(-1)?.id ?? null) {
    const { items, hasMore } = await port.store.list(accountId, { limit: PAGE_SIZE, beforeId });
    all.push(...items);
    if (!hasMore) return all.filter(({ state }) => state !== 'deleting');
  }
}

/**
 * Splits an entry of a file into two groups: fields that cannot be inherited, and inheritable fields that the object
 * sets itself.
 */
function readLayers(
  idKind: 'monitor' | 'scenario',
  { profile, own = [] }: Resource,
  view: Entry,
): Pick<Existing, 'layers'> {
  if (profile === undefined) return {};
  const type = idKind === 'scenario' ? idKind : String(view['type']);
  const inheritable = listInheritableNames(type);
  const all = Object.entries(pickOwn({ view, own }, { inheritable }));
  const part = (isInheritable: boolean): Entry =>
    Object.fromEntries(all.filter(([name]) => inheritable.has(name) === isInheritable));
  return { layers: { shared: part(false), own: part(true) } };
}

/**
 * Lists fields that change from own to inherited, or from inherited to own. Such a change may keep the value, so
 * comparing values would not find it. Empty if the profile changes.
 */
function listOriginChanges(before: Resource, after: Resource): readonly FieldChange[] {
  if (before.profile !== after.profile) return [];
  const [was, will] = [new Set(before.own), new Set(after.own)];
  const changed = [...new Set([...was, ...will])].filter(
    (name) => was.has(name) !== will.has(name),
  );
  return changed.map((name) => ({
    path: `origin.${name}`,
    before: was.has(name) ? 'own' : 'inherited',
    after: will.has(name) ? 'own' : 'inherited',
  }));
}

function hiddenChanges(before: Resource, after: Resource): readonly FieldChange[] {
  const values = new Map(before.variables.map(({ name, value }) => [name, value]));
  return after.variables
    .filter(({ name, secret }) => secret === true && values.has(name))
    .filter(({ name, value }) => values.get(name) !== value)
    .map(({ name }) => ({
      path: `variables.${name}.value`,
      before: '(secret)',
      after: '(another secret)',
    }));
}

/** Returns the definition. Channels and dependencies are named by key where possible. */
function viewWithKeys(
  shown: object,
  readOnlyFields: readonly string[],
  { channels, nodes }: ApplyNeeds,
): Entry {
  const fields = Object.entries(shown).filter(([name]) => !readOnlyFields.includes(name));
  const view = withChannelKeys(Object.fromEntries(fields), { channels });
  return { ...view, dependsOn: listDependenciesByKey(readList(view['dependsOn']), nodes) };
}

function isStated(entry: Entry, field: string): boolean {
  return entry[field] !== undefined && entry[field] !== null;
}

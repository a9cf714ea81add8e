/** Monitors and scenarios of a set: from an entry to the row that it asks for, and what differs. */
import type { FieldChange } from '../../domain/definitions/field-changes';
import { secretNamesIn } from '../../domain/secrets/secret-names';
import type { Resource } from '../../models/resources/resource';
import { requireInterval } from '../accounts/plan-limits';
import { forgetResource } from '../maintenance/forget-resource';
import { firstVersion } from '../resources/create-resource';
import type { Kind, KindTypes } from '../resources/kind';
import { definitionChange } from '../resources/replace-resource';
import type { ResourcePort } from '../resources/resource-port';
import {
  findLiveResource,
  findResource,
  removeResource,
  saveChange,
  saveNew,
} from '../resources/save-resource';
import { loadNodes, plannedName } from './apply-dependencies';
import type { ApplyKind, CarriedOut, Entry, Existing, ObjectPlan, Wish } from './apply-kind';
import type { ApplyNeeds } from './apply-needs';
import { isStated, readEntry, viewWithKeys } from './entries';

const PAGE_ROWS = 500;

/** A kind of resource, and what this request knows of it. */
interface Reading<Types extends KindTypes> {
  readonly accountId: string;
  readonly apply: ApplyNeeds;
  readonly kind: Kind<Types>;
  readonly viewOf: (row: Types['Row']) => Entry;
  readonly readBody: (entry: Entry, stored: Types['Row'] | null) => Types['Body'];
}

export function resourceKind<Types extends KindTypes>(
  accountId: string,
  apply: ApplyNeeds,
  kind: Kind<Types>,
): ApplyKind {
  const { needs, resources } = apply;
  const rows = new Map<string, Types['Row']>();
  const reading: Reading<Types> = {
    accountId,
    apply,
    kind,
    viewOf: (row) => viewWithKeys(kind.present(row, null), kind.readOnlyFields, apply),
    readBody: (sent, stored) =>
      readEntry(kind.shape, apply, { sent, stored: stored && reading.viewOf(stored) }),
  };
  return {
    list: `${kind.idKind}s`,
    async load() {
      await loadNodes(apply, accountId);
      for (const id of rows.keys()) resources.delete(id);
      rows.clear();
      for (const row of await readAll(kind, accountId)) {
        rows.set(row.id, row);
        resources.set(row.id, { kind: kind.idKind, key: row.key });
      }
      return [...rows.values()].map((row) => existingOf(row, reading.viewOf(row)));
    },
    async plan(wish) {
      const stored = wish.existing === null ? undefined : rows.get(wish.existing.id);
      return stored === undefined ? planNew(reading, wish) : planChange(reading, wish, stored);
    },
    async remove(id) {
      await removeResource(needs, kind, () => findResource(kind, accountId, id));
      await forgetResource(needs, accountId, id);
    },
    readDefaults: async () => reading.viewOf(await newRow(reading, kind.minimal)),
  };
}

function newRow<Types extends KindTypes>(
  { accountId, apply, kind, readBody }: Reading<Types>,
  entry: Entry,
): Promise<Types['Row']> {
  const id = apply.plannedResources.get(plannedName(kind.idKind, entry));
  const body = readBody(entry, null);
  return firstVersion(apply.needs, kind, { accountId, body, ...(id !== undefined && { id }) });
}

async function planNew<Types extends KindTypes>(
  reading: Reading<Types>,
  { entry, set }: Wish,
): Promise<ObjectPlan> {
  const { accountId, apply, kind, viewOf } = reading;
  const { needs, resources, takePlace } = apply;
  const row: Types['Row'] = { ...(await newRow(reading, entry)), managedBy: set };
  resources.set(row.id, { kind: kind.idKind, key: row.key });
  return {
    ...planOf(kind, row, viewOf(row)),
    before: null,
    hidden: [],
    rehearse: async () => {
      await requireInterval(needs, accountId, row.intervalSeconds);
      await takePlace(accountId, `${kind.idKind}s`);
    },
    carryOut: async () => {
      const saved = saveNew(needs, kind, row).catch((reason: unknown) => {
        resources.delete(row.id);
        throw reason;
      });
      return carriedOut(saved, row.id);
    },
  };
}

async function planChange<Types extends KindTypes>(
  { accountId, apply, kind, viewOf, readBody }: Reading<Types>,
  { entry, existing }: Wish,
  stored: Types['Row'],
): Promise<ObjectPlan> {
  const { needs, resources } = apply;
  const body = readBody(entry, stored);
  const fields = await kind.compose({ accountId, id: stored.id, stored }, body);
  const isEnabled = isStated(entry, 'enabled') ? body.enabled : null;
  const change = (previous: Types['Row']): Types['Row'] => {
    // What a file does not name stays, where a body of PUT would ask for the default.
    const regions = isStated(entry, 'regions') ? fields.regions : previous.regions;
    const stated = { ...fields, regions, key: body.key ?? previous.key };
    return definitionChange(needs, kind, { fields: stated, isEnabled })(previous);
  };
  const row = change(stored);
  resources.set(row.id, { kind: kind.idKind, key: row.key });
  const find = () => findLiveResource(kind, accountId, row.id);
  return {
    ...planOf(kind, row, viewOf(row)),
    before: existing?.view ?? null,
    hidden: hiddenChanges(stored, row),
    rehearse: async () => {
      if (row.intervalSeconds === stored.intervalSeconds) return;
      await requireInterval(needs, accountId, row.intervalSeconds);
    },
    carryOut: async () => carriedOut(saveChange(needs, kind, { find, change }), row.id),
  };
}

async function carriedOut(saved: Promise<unknown>, id: string): Promise<CarriedOut> {
  await saved;
  return { id };
}

function planOf<Row extends Resource>(port: ResourcePort<Row>, row: Row, after: Entry) {
  return { name: row.name, after, secretNames: secretNamesIn(port.definitionOf(row).steps) };
}

function existingOf(row: Resource, view: Entry): Existing {
  return { id: row.id, key: row.key, name: row.name, managedBy: row.managedBy ?? null, view };
}

async function readAll<Row extends Resource>(
  port: ResourcePort<Row>,
  accountId: string,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (let beforeId: string | null = null; ; beforeId = all.at(-1)?.id ?? null) {
    const { rows, hasMore } = await port.store.list(accountId, { limit: PAGE_ROWS, beforeId });
    all.push(...rows);
    if (!hasMore) return all.filter(({ state }) => state !== 'deleting');
  }
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

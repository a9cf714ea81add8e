/** Monitors and scenarios of a set: from an entry to the row that it asks for, and what differs. */
import type { ZodType } from 'zod';
import type { FieldChange } from '../../domain/definitions/field-changes';
import { secretNamesIn } from '../../domain/secrets/secret-names';
import type { SetList } from '../../schemas/apply';
import type { SentVariable } from '../../schemas/fields';
import type { CheckedShape } from '../../schemas/issues';
import { monitorBody } from '../../schemas/monitor';
import { scenarioBody } from '../../schemas/scenario';
import { requireInterval } from '../accounts/require-room';
import { composeMonitorFields, newMonitorRow } from '../monitors/compose-monitor';
import { MONITOR_READ_ONLY_FIELDS, presentMonitor } from '../monitors/present-monitor';
import type { ResourceRow } from '../ports/rows';
import { keepHeaders } from '../resources/keep-headers';
import { keepVariables } from '../resources/keep-variables';
import { pauseChange } from '../resources/pause-change';
import { keepingSealed, keepingTargets } from '../resources/resolve-alerts';
import { monitorPort, type ResourcePort, scenarioPort } from '../resources/resource-port';
import {
  findLiveRow,
  findRow,
  removeResource,
  saveChange,
  saveNew,
} from '../resources/save-resource';
import { composeScenarioFields, newScenarioRow } from '../scenarios/compose-scenario';
import { presentScenario, SCENARIO_READ_ONLY_FIELDS } from '../scenarios/present-scenario';
import { type Sealed, sealVariables } from '../secrets/secret-variables';
import type { ApplyKind, CarriedOut, Entry, Existing, ObjectPlan, Wish } from './apply-kind';
import type { ApplyNeeds } from './apply-needs';
import { isStated, readEntry, viewWithKeys } from './entries';

const PAGE_ROWS = 500;

interface Identity {
  readonly id: string;
  readonly accountId: string;
  readonly nowMs: number;
}

/** What the two kinds do in their own way. */
interface ResourceSpec<Row extends ResourceRow, Body, Fields> {
  readonly list: SetList;
  readonly port: ResourcePort<Row>;
  readonly checked: CheckedShape<ZodType<Body>>;
  readonly minimal: Entry;
  readonly compose: (body: Body, stored: Row | null) => Promise<Fields>;
  readonly newRow: (identity: Identity, fields: Sealed<Fields>, isEnabled: boolean) => Row;
  readonly present: (row: Row) => object;
  readonly readOnlyFields: readonly string[];
}

interface SharedBody {
  readonly enabled: boolean;
  readonly key: string | null;
}

type SharedFields = Pick<ResourceRow, 'intervalSeconds' | 'regions' | 'alerts' | 'alertTargets'> & {
  readonly variables: readonly SentVariable[];
};

export function monitorKind(accountId: string, apply: ApplyNeeds): ApplyKind {
  const { needs } = apply;
  return resourceKind(accountId, apply, {
    list: 'monitors',
    port: monitorPort(needs),
    checked: monitorBody,
    minimal: { name: 'x', url: 'http://example.com/' },
    compose: (body, stored) => composeMonitorFields(needs, { accountId, stored }, body),
    newRow: newMonitorRow,
    present: (row) => presentMonitor(needs, row, null),
    readOnlyFields: MONITOR_READ_ONLY_FIELDS,
  });
}

export function scenarioKind(accountId: string, apply: ApplyNeeds): ApplyKind {
  const { needs } = apply;
  return resourceKind(accountId, apply, {
    list: 'scenarios',
    port: scenarioPort(needs),
    checked: scenarioBody,
    minimal: { name: 'x', steps: [{ name: 'x', url: 'http://example.com/' }] },
    compose: (body, stored) => composeScenarioFields(needs, { accountId, stored }, body),
    newRow: newScenarioRow,
    present: (row) => presentScenario(needs, row, null),
    readOnlyFields: SCENARIO_READ_ONLY_FIELDS,
  });
}

/** A kind, and how it reads what it is given. */
interface Reading<Row extends ResourceRow, Body, Fields> {
  readonly accountId: string;
  readonly needs: ApplyNeeds['needs'];
  readonly resources: ApplyNeeds['resources'];
  readonly spec: ResourceSpec<Row, Body, Fields>;
  readonly viewOf: (row: Row) => Entry;
  readonly takePlace: ApplyNeeds['takePlace'];
  readonly fieldsOf: (
    entry: Entry,
    stored: Row | null,
  ) => Promise<{ readonly body: Body; readonly fields: Fields }>;
}

function resourceKind<
  Row extends ResourceRow,
  Body extends SharedBody,
  Fields extends SharedFields,
>(accountId: string, apply: ApplyNeeds, spec: ResourceSpec<Row, Body, Fields>): ApplyKind {
  const { needs, resources } = apply;
  const { port } = spec;
  const rows = new Map<string, Row>();
  const reading: Reading<Row, Body, Fields> = {
    accountId,
    needs,
    resources,
    spec,
    takePlace: apply.takePlace,
    viewOf: (row) => viewWithKeys(spec.present(row), spec.readOnlyFields, apply),
    fieldsOf: async (entry, stored) => {
      const entries = { sent: entry, stored: stored && reading.viewOf(stored) };
      const body = readEntry(spec.checked, apply, entries);
      return { body, fields: await spec.compose(body, stored) };
    },
  };
  return {
    list: spec.list,
    async load() {
      for (const id of rows.keys()) resources.delete(id);
      rows.clear();
      for (const row of await readAll(port, accountId)) {
        rows.set(row.id, row);
        resources.set(row.id, { kind: port.idKind, key: row.key });
      }
      return [...rows.values()].map((row) => existingOf(row, reading.viewOf(row)));
    },
    async plan(wish) {
      const stored = wish.existing === null ? undefined : rows.get(wish.existing.id);
      return stored === undefined ? planNew(reading, wish) : planChange(reading, wish, stored);
    },
    remove: (id) => removeResource(needs, port, () => findRow(port, accountId, id)),
    readDefaults: async () => reading.viewOf(await newRow(reading, spec.minimal)),
  };
}

async function newRow<
  Row extends ResourceRow,
  Body extends SharedBody,
  Fields extends SharedFields,
>({ accountId, needs, spec, fieldsOf }: Reading<Row, Body, Fields>, entry: Entry): Promise<Row> {
  const { body, fields } = await fieldsOf(entry, null);
  const identity = { id: needs.newId(spec.port.idKind), accountId, nowMs: needs.clock.now() };
  const sealed = sealVariables(needs, identity, fields);
  return spec.newRow(identity, sealed, body.enabled);
}

async function planNew<
  Row extends ResourceRow,
  Body extends SharedBody,
  Fields extends SharedFields,
>(reading: Reading<Row, Body, Fields>, { entry, set }: Wish): Promise<ObjectPlan> {
  const { accountId, needs, resources, spec, viewOf } = reading;
  const made = await newRow(reading, entry);
  const row: Row = { ...made, managedBy: set };
  resources.set(row.id, { kind: spec.port.idKind, key: row.key });
  return {
    ...planOf(spec.port, row, viewOf(row)),
    before: null,
    hidden: [],
    rehearse: async () => {
      await requireInterval(needs, accountId, row.intervalSeconds);
      await reading.takePlace(accountId, `${spec.port.idKind}s`);
    },
    carryOut: async () => {
      const saved = saveNew(needs, spec.port, row).catch((reason: unknown) => {
        resources.delete(row.id);
        throw reason;
      });
      return carriedOut(saved, row.id);
    },
  };
}

async function planChange<
  Row extends ResourceRow,
  Body extends SharedBody,
  Fields extends SharedFields,
>(
  { accountId, needs, resources, spec, viewOf, fieldsOf }: Reading<Row, Body, Fields>,
  { entry, existing }: Wish,
  stored: Row,
): Promise<ObjectPlan> {
  const { port } = spec;
  const { body, fields } = await fieldsOf(entry, stored);
  const change = (previous: Row): Row => {
    const sealed = keepVariables(needs, previous, keepHeaders(previous, fields));
    const stated = {
      ...sealed,
      alertTargets: keepingSealed(sealed, previous.alertTargets).alertTargets,
      regions: isStated(entry, 'regions') ? sealed.regions : previous.regions,
      key: body.key ?? previous.key,
    };
    const isSameGrid = previous.intervalSeconds === fields.intervalSeconds;
    const nowMs = needs.clock.now();
    const anchorMs = isSameGrid ? previous.anchorMs : nowMs;
    const isEnabled = isStated(entry, 'enabled') ? body.enabled : null;
    const next = pauseChange({ ...previous, ...stated, anchorMs }, isEnabled, nowMs);
    return keepingTargets(previous, next);
  };
  const row = change(stored);
  resources.set(row.id, { kind: port.idKind, key: row.key });
  const find = () => findLiveRow(port, accountId, row.id);
  return {
    ...planOf(port, row, viewOf(row)),
    before: existing?.view ?? null,
    hidden: hiddenChanges(stored, row),
    rehearse: async () => {
      if (row.intervalSeconds === stored.intervalSeconds) return;
      await requireInterval(needs, accountId, row.intervalSeconds);
    },
    carryOut: async () => carriedOut(saveChange(needs, port, { find, change }), row.id),
  };
}

async function carriedOut(saved: Promise<unknown>, id: string): Promise<CarriedOut> {
  await saved;
  return { id };
}

function planOf<Row extends ResourceRow>(port: ResourcePort<Row>, row: Row, after: Entry) {
  return { name: row.name, after, secretNames: secretNamesIn(port.definitionOf(row).steps) };
}

function existingOf(row: ResourceRow, view: Entry): Existing {
  return { id: row.id, key: row.key, name: row.name, managedBy: row.managedBy ?? null, view };
}

async function readAll<Row extends ResourceRow>(
  port: ResourcePort<Row>,
  accountId: string,
): Promise<readonly Row[]> {
  const all: Row[] = [];
  for (let beforeId: string | null = null; ; beforeId = all.at(-1)?.id ?? null) {
    const { rows, hasMore } = await port.rows.list(accountId, { limit: PAGE_ROWS, beforeId });
    all.push(...rows);
    if (!hasMore) return all.filter(({ state }) => state !== 'deleting');
  }
}

function hiddenChanges(before: ResourceRow, after: ResourceRow): readonly FieldChange[] {
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

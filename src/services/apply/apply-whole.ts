/**
 * Applies lists that an account stores as one object: its alert routes, whose order matters, and its variables. If a
 * set contains such a list, the whole list of the account is replaced.
 */
import { alertRoutesBody } from '../../schemas/alert-policy';
import type { SetList } from '../../schemas/apply';
import { accountVariableEntry, accountVariablesBody } from '../../schemas/environments/environment';
import { validate } from '../../schemas/issues';
import { readList, readRecord } from '../../schemas/loose';
import { buildChangedRoutes, findAlertRoutes, replaceAlertRoutes } from '../alerting/alert-routes';
import {
  changeAccountVariables,
  findAccountVariables,
  followAccountVariables,
  planAccountVariables,
} from '../environments/account-variables';
import { refuseProblems } from '../lists/field-problems';
import { readChange } from '../lists/read-change';
import type { Entry } from '../objects/object-type';
import { anyVersion } from '../objects/object-verbs';
import { toRecord } from '../resources/service-fields';
import type { ApplyKind, ApplyRequest } from './apply-kind';

interface Whole<Body> {
  readonly list: Extract<SetList, 'alertRoutes' | 'variables'>;
  readonly key: string;
  readonly name: string;
  /** The field of the body that contains the list. */
  readonly field: 'routes' | 'variables';
  /** Loads the list in the form of a body. null if it is empty. */
  readonly load: () => Promise<{ readonly value: unknown; readonly managedBy?: string } | null>;
  /** Reads the list. Throws one error with all invalid entries. `stored` is undefined if the stored list is empty. */
  readonly read: (sent: unknown, stored: unknown) => Body;
  /** Returns the list as it would be after the change. Throws the same errors as `replace`. */
  readonly plan: (body: Body) => Promise<unknown>;
  /** Replaces the list. If the stored list was empty, `managedBy` is the set that will manage the list. */
  readonly replace: (change: { readonly body: Body; readonly managedBy?: string }) => Promise<void>;
  /** The body of an empty list. */
  readonly empty: Body;
  readonly split: (value: unknown) => readonly Entry[];
}

function wholeKind<Body>({ list, key, name, field, ...whole }: Whole<Body>): ApplyKind {
  return {
    list,
    async load() {
      const found = await whole.load();
      if (found === null) return [];
      const { value, managedBy = null } = found;
      return [{ id: key, key, name, managedBy, view: { key, [field]: value } }];
    },
    async plan({ entry, existing, set }) {
      const body = whole.read(entry[field], existing?.view[field]);
      return {
        name,
        before: existing?.view ?? null,
        after: { key, [field]: await whole.plan(body) },
        carryOut: async () => {
          await whole.replace({ body, ...(existing === null && { managedBy: set }) });
          return { id: key };
        },
      };
    },
    remove: () => whole.replace({ body: whole.empty }),
    whole: {
      join: (entries) => (entries.length === 0 ? [] : [{ key, [field]: entries }]),
      split: (entry) => whole.split(entry[field]),
    },
    readDefaults: async () => ({}),
  };
}

const MATCHES_ALL: Entry = { tags: [], groups: [], type: null };

export function createRoutesKind({ accountId, apply: { needs } }: ApplyRequest): ApplyKind {
  return wholeKind({
    list: 'alertRoutes',
    key: 'alert-routes',
    name: 'Alert routes',
    field: 'routes',
    async load() {
      const { routes, ...others } = await findAlertRoutes(needs, accountId);
      return routes.length === 0 ? null : { ...others, value: routes };
    },
    read: (routes, stored) =>
      readChange(alertRoutesBody, {
        sent: { routes },
        stored: stored === undefined ? null : { routes: stored },
      }),
    plan: async (body) =>
      (await buildChangedRoutes(needs, await findAlertRoutes(needs, accountId), body)).routes,
    async replace(change) {
      await replaceAlertRoutes(needs, accountId, { ...change, accept: anyVersion });
    },
    empty: { routes: [] },
    split: (routes) => readList(routes).map(splitRoute),
  });
}

/** Returns the entry of a route, without conditions that match everything. */
function splitRoute(route: unknown): Entry {
  const { match, policy } = readRecord(route);
  const stated = Object.entries(readRecord(match)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(MATCHES_ALL[name]),
  );
  return { match: Object.fromEntries(stated), policy };
}

/**
 * Creates the kind for the account's variables. Monitors and scenarios that the set itself changes are not checked
 * against the new variables.
 */
export function createVariablesKind({ needs, accountId, apply }: ApplyRequest): ApplyKind {
  const { ownIds: except, actor, follow } = apply;
  return wholeKind({
    list: 'variables',
    key: 'variables',
    name: 'Variables',
    field: 'variables',
    async load() {
      const { variables, ...others } = await findAccountVariables(needs, accountId);
      return variables.length === 0 ? null : { ...others, value: toRecord(variables) };
    },
    read: (sent, stored) =>
      readChange(accountVariablesBody, {
        sent: { variables: readVariables(readList(sent)) },
        stored: stored === undefined ? null : { variables: stored },
      }),
    async plan(body) {
      const before = await findAccountVariables(needs, accountId);
      const changed = await planAccountVariables(apply.needs, { before, body, except });
      apply.plannedVariables.account = changed;
      return toRecord(changed.variables);
    },
    async replace(change) {
      const request = { ...change, accept: anyVersion, except };
      const stored = await changeAccountVariables(needs, accountId, request);
      // Resources that use the variables are updated after the whole set is applied.
      follow.push(() => followAccountVariables(needs, actor, stored));
    },
    empty: { variables: [] },
    split: (variables) =>
      Object.entries(readRecord(variables)).map(([name, value]) => ({ name, value })),
  });
}

/** Reads the variables. Throws one error with all invalid entries and all names that occur twice. */
function readVariables(entries: readonly unknown[]): Readonly<Record<string, string>> {
  const names = new Map<string, string>();
  const problems = entries.flatMap((entry, index) => {
    const checked = validate(accountVariableEntry, entry);
    if (!checked.ok)
      return checked.problems.map((one) => ({ ...one, path: `variables[${index}].${one.path}` }));
    const { name, value } = checked.value;
    const isTwice = names.has(name);
    names.set(name, value);
    const message = 'is already the name of another variable in the set';
    return isTwice ? [{ path: `variables[${index}].name`, code: 'duplicate_name', message }] : [];
  });
  refuseProblems(problems);
  return Object.fromEntries(names);
}

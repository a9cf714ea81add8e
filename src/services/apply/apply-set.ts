/**
 * Plans and applies a whole set of objects by key. If one object fails, the others are still applied. An object is
 * changed completely or not at all.
 */

import { findFieldChanges } from '../../domain/definitions/field-changes';
import { type ApplyBody, OBJECT_KINDS, SET_LISTS, type SetList } from '../../schemas/apply';
import { readList } from '../../schemas/loose';
import type { AppliedObject, AppliedSet } from '../../schemas/responses/apply';
import { hasSpareCapacity, readFreeCount } from '../accounts/plan-limits';
import { ALERT_CHANNELS } from '../alerting/alert-channels';
import { ALERT_POLICIES } from '../alerting/alert-policies';
import { ENVIRONMENTS } from '../environments/environments';
import { refuseProblems } from '../lists/field-problems';
import { HOURS } from '../maintenance/hours';
import { MAINTENANCE_WINDOWS } from '../maintenance/save-maintenance-window';
import { createMonitorKind } from '../monitors/kind';
import type { Changer, Entry } from '../objects/object-type';
import type { Dependencies } from '../ports/dependencies';
import { PROFILES } from '../rollouts/profiles';
import { createScenarioKind } from '../scenarios/kind';
import { STATUS_PAGES } from '../status-pages/status-pages';
import { planDependencies } from './apply-dependencies';
import type { ApplyKind, ApplyRequest, Existing } from './apply-kind';
import { type ApplyRules, type ApplyWork, applyList, findMatch } from './apply-list';
import { type ApplyNeeds, createApplyNeeds } from './apply-needs';
import { createObjectKind } from './apply-object';
import { type ApplyProblem, countOutcomes, readProblem } from './apply-outcome';
import { createResourceKind } from './apply-resources';
import { createRoutesKind, createVariablesKind } from './apply-whole';
import { expandEntries } from './expand-entries';

const PRUNE_AT_LEAST = 5;
const PAGE_SECRETS = 500;
const TEMPORAL_PING_WITHIN_MS = 2_000;
/**
 * Maximum number of objects that are processed at the same time. They share writes to the database. Calls to Temporal
 * have a lower limit.
 */
const AT_ONCE_MAX = 48;
/** Maximum number of objects that are processed at the same time near a limit of the plan, where writers take turns. */
const AT_ONCE_NEAR_BOUND = 12;

const SKIPPED: ApplyProblem = {
  code: 'validation_failed',
  detail: 'Nothing is pruned, because another object of the set failed.',
  errors: [],
};

type CreateKind = (request: ApplyRequest) => ApplyKind;

/** The kind of each list. The compiler reports a list without an entry. */
const KINDS: Readonly<Record<SetList, CreateKind>> = {
  alertChannels: (request) => createObjectKind(request, ALERT_CHANNELS, request.apply.channels),
  hours: (request) => createObjectKind(request, HOURS, request.apply.hours),
  alertPolicies: (request) => createObjectKind(request, ALERT_POLICIES, request.apply.policies),
  alertRoutes: createRoutesKind,
  maintenanceWindows: (request) => createObjectKind(request, MAINTENANCE_WINDOWS),
  variables: createVariablesKind,
  environments: (request) => createObjectKind(request, ENVIRONMENTS, request.apply.environments),
  profiles: (request) => createObjectKind(request, PROFILES, request.apply.profiles),
  monitors: (request) => createResourceKind(request, createMonitorKind(request.apply.needs)),
  scenarios: (request) => createResourceKind(request, createScenarioKind(request.apply.needs)),
  statusPages: (request) => createObjectKind(request, STATUS_PAGES),
};

/** Returns the kinds in the order in which objects are created. Objects are deleted in the reverse order. */
export function applyKinds(
  needs: Dependencies,
  accountId: string,
  apply: ApplyNeeds = createApplyNeeds(needs),
): readonly ApplyKind[] {
  return SET_LISTS.map((list) => KINDS[list]({ needs, accountId, apply }));
}

function listEntries({ list, whole }: ApplyKind, body: ApplyBody): readonly Entry[] {
  return whole === undefined ? body[list] : whole.join(body[list]);
}

function hasChannel({ channels }: ApplyNeeds, key: string): boolean {
  return [...channels.values()].some((channel) => channel.key === key);
}

/**
 * Applies a set. Idempotent. If an environment or variable changes, everything that uses it is updated, even objects
 * that are not in the set. Throws `unavailable` before any change if Temporal is unavailable. Throws
 * `validation_failed` if too many objects would be deleted (pruned).
 */
export async function applySet(
  needs: Dependencies,
  { accountId, actor }: Changer,
  body: ApplyBody,
): Promise<AppliedSet> {
  const { set, dryRun } = body;
  if (!dryRun) await needs.gateway.ping(TEMPORAL_PING_WITHIN_MS);
  const apply = { ...createApplyNeeds(needs, dryRun), actor };
  const sent: ApplyWork[] = [];
  for (const kind of applyKinds(needs, accountId, apply))
    sent.push({ kind, existing: await kind.load(), entries: listEntries(kind, body) });
  const work = expandEntries(sent);
  for (const { key } of body.alertChannels)
    if (typeof key === 'string' && !hasChannel(apply, key))
      apply.plannedChannels.set(key, needs.newId('channel'));
  const doomed = body.prune ? findDoomed(work, set) : [];
  if (!dryRun) refuseMassPrune(work, doomed.length, body);
  for (const { kind, existing } of doomed) kind.forget?.(existing.id);
  for (const id of listOwnIds(work, doomed)) apply.ownIds.add(id);
  planDependencies(needs, apply, work);
  const secrets = await readSecretNames(needs, accountId);
  const { retry } = apply;
  const hasSecret = (name: string): boolean => secrets.has(name);
  const atOnce = await readAtOnce(needs, accountId);
  const rules = { set, dryRun, hasSecret, retry, atOnce };
  const made: AppliedObject[] = [];
  for (const part of work) made.push(...(await applyList(part, rules)));
  const objects = await followRenewed(apply, { work, rules, made });
  const isSound = objects.every(({ outcome }) => outcome !== 'failed');
  for (const victim of [...doomed].reverse())
    objects.push(
      await retry(
        () => prune(victim, { dryRun, isSound }),
        ({ problem }) => problem?.code,
      ),
    );
  for (const follow of apply.follow) await follow();
  const missingSecrets = [...new Set(objects.flatMap((object) => object.missingSecrets))];
  return { set, dryRun, summary: countOutcomes(objects), objects, missingSecrets };
}

async function readAtOnce(needs: Dependencies, accountId: string): Promise<number> {
  const kinds = ['monitors', 'scenarios'] as const;
  const free = await Promise.all(kinds.map((kind) => readFreeCount(needs, { accountId, kind })));
  return free.every(hasSpareCapacity) ? AT_ONCE_MAX : AT_ONCE_NEAR_BOUND;
}

interface Made {
  readonly work: readonly ApplyWork[];
  readonly rules: ApplyRules;
  readonly made: readonly AppliedObject[];
}

/**
 * Applies objects again if they refer to an object whose id differs from its planned id. Returns the outcomes of all
 * objects. An object that fails the second time counts as failed.
 */
async function followRenewed(
  { renewedKeys }: ApplyNeeds,
  { work, rules, made }: Made,
): Promise<AppliedObject[]> {
  const objects = [...made];
  if (renewedKeys.size === 0) return objects;
  for (const { kind, entries } of work) {
    const naming = entries.filter((entry) =>
      readList(entry['dependsOn']).some((one) => renewedKeys.has(String(one))),
    );
    if (naming.length === 0) continue;
    const part = { kind, existing: await kind.load(), entries: naming };
    for (const again of await applyList(part, rules)) {
      const first = objects.findIndex((one) => one.kind === again.kind && one.key === again.key);
      const before = objects[first];
      if (before === undefined || again.outcome !== 'failed') continue;
      objects[first] = { ...before, outcome: 'failed', problem: again.problem };
    }
  }
  return objects;
}

/** Lists the ids of the objects that the set changes or deletes. */
function listOwnIds(work: readonly ApplyWork[], doomed: readonly Victim[]): readonly string[] {
  const changed = work.flatMap(({ entries, existing }) =>
    entries.flatMap((entry) => findMatch(entry, existing)?.id ?? []),
  );
  return [...changed, ...doomed.map(({ existing }) => existing.id)];
}

interface Victim {
  readonly kind: ApplyKind;
  readonly existing: Existing;
}

/** Finds stored objects that belong to this set, but that its new version no longer contains. */
function findDoomed(work: readonly ApplyWork[], set: string): readonly Victim[] {
  return work.flatMap(({ kind, existing, entries }) => {
    const kept = new Set(entries.map((entry) => findMatch(entry, existing)?.id));
    return existing
      .filter(({ id, managedBy }) => managedBy === set && !kept.has(id))
      .map((object) => ({ kind, existing: object }));
  });
}

function refuseMassPrune(work: readonly ApplyWork[], count: number, body: ApplyBody): void {
  const managed = work
    .flatMap(({ existing }) => existing)
    .filter(({ managedBy }) => managedBy === body.set).length;
  const max = body.pruneMax ?? Math.max(PRUNE_AT_LEAST, Math.floor(managed / 2));
  if (count <= max) return;
  const message = `would remove ${count} of the ${managed} objects of the set; to allow it, raise pruneMax`;
  refuseProblems([{ path: 'prune', code: 'out_of_bounds', message }]);
}

async function prune(
  { kind, existing }: Victim,
  { dryRun, isSound }: { readonly dryRun: boolean; readonly isSound: boolean },
): Promise<AppliedObject> {
  const { id, key, name, view } = existing;
  const planned: AppliedObject = {
    kind: OBJECT_KINDS[kind.list],
    index: null,
    key,
    id,
    name,
    action: 'delete',
    changes: findFieldChanges(view, {}),
    outcome: 'planned',
    problem: null,
    missingSecrets: [],
  };
  if (!isSound) return { ...planned, outcome: 'skipped', problem: SKIPPED };
  if (dryRun) return planned;
  try {
    await kind.remove(id);
    return { ...planned, outcome: 'done' };
  } catch (error) {
    const problem = readProblem(error);
    if (problem.code === 'not_found') return { ...planned, outcome: 'done' };
    return { ...planned, outcome: 'failed', problem };
  }
}

async function readSecretNames(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (let afterName: string | null = null; ; ) {
    const page = await stores.secrets.list(accountId, { limit: PAGE_SECRETS, afterName });
    for (const { name } of page.items) names.add(name);
    afterName = page.items.at(-1)?.name ?? null;
    if (!page.hasMore) return names;
  }
}

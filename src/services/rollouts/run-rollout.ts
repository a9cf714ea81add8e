/**
 * Carries out rollouts in slices. A process may end between any two writes. A slice may be repeated, even by two
 * processes at once:
 *
 * 1. Each pending resource is composed, and its item stores the definition that will be replaced.
 * 2. The resources are saved, at most ten at once. A resource whose version has changed since it was read is not saved.
 * 3. Saved resources are composed again if their profile or environment has changed in the meantime.
 * 4. The audit events are stored. Their ids are derived from the attempts.
 * 5. The items store their outcomes.
 *
 * A resource that another write changed in the meantime stays pending. The next slice tries it again.
 */
import type { RolloutCause, RolloutCounts, RolloutName } from '../../contracts/operations/rollouts';
import { maskSecrets } from '../../domain/accounts/audit-change';
import { isId } from '../../domain/definitions/ids';
import type { Resource } from '../../models/resources/resource';
import type { RolloutItem } from '../../models/rollouts/rollout-items';
import type { Rollout } from '../../models/rollouts/rollouts';
import { AppError, isUnavailable } from '../../platform/errors';
import { mapAtMost } from '../../platform/map-at-most';
import { findUsers } from '../lists/find-users';
import { createMonitorKind } from '../monitors/kind';
import { withSharedViews } from '../resources/definition-change';
import type { Kind, KindTypes } from '../resources/kind';
import { findStaleUsers, VARIABLE_USERS } from '../resources/layer-users';
import { saveChange } from '../resources/save-resource';
import { createScenarioKind } from '../scenarios/kind';
import { recompose } from './change-resource';
import { hasCurrentLayers } from './has-current-layers';
import { prepareItem, type Step } from './prepare-item';
import { recordRollout } from './rollout-events';
import { type RolloutNeeds, shareCalls } from './rollout-needs';
import { newItems } from './start-rollout';

const SLICE_MAX = 50;
const AT_ONCE_MAX = 10;
const UNDO_WITHIN_MS = 24 * 3_600_000;

/** Starts or continues the account's first open rollout. null if there is none. */
export async function openRollout(
  needs: RolloutNeeds,
  { accountId }: Pick<RolloutName, 'accountId'>,
): Promise<{ readonly rolloutId: string; readonly counts: RolloutCounts } | null> {
  const { stores, clock } = needs;
  const [first] = await stores.rollouts.listOpen(accountId);
  if (first === undefined) return null;
  const { id: rolloutId } = first;
  await stores.rollouts.begin(accountId, rolloutId, clock.now());
  await recordRollout(needs, await stores.rollouts.find(accountId, rolloutId));
  return { rolloutId, counts: await stores.rolloutItems.countStates({ accountId, rolloutId }) };
}

/**
 * Changes the next pending resources. Returns the counts after that. Throws `unavailable` if nothing was changed
 * because the database or Temporal did not respond.
 */
export async function changeResources(
  needs: RolloutNeeds,
  name: RolloutName,
  signal: AbortSignal,
): Promise<RolloutCounts> {
  const { rollouts, rolloutItems } = needs.stores;
  const rollout = await rollouts.find(name.accountId, name.rolloutId);
  if (rollout === null || rollout.state === 'ended') return rolloutItems.countStates(name);
  const pending = await rolloutItems.listPending(name, SLICE_MAX);
  if (pending.length > 0) await changeSlice(needs, rollout, { pending, signal });
  const counts = await rolloutItems.countStates(name);
  if (counts.pending > 0) return counts;
  await addLateUsers(needs, rollout);
  return rolloutItems.countStates(name);
}

async function addLateUsers(needs: RolloutNeeds, rollout: Rollout): Promise<void> {
  const { id: rolloutId, accountId } = rollout;
  const late = await findLateUsers(needs, rollout);
  if (late.length === 0) return;
  await needs.stores.rolloutItems.reopen({ accountId, rolloutId }, newItems(rollout, late));
}

interface Slice {
  readonly pending: readonly RolloutItem[];
  readonly signal: AbortSignal;
}

async function changeSlice(
  needs: RolloutNeeds,
  rollout: Rollout,
  { pending, signal }: Slice,
): Promise<void> {
  const { stores } = needs;
  const { id: rolloutId, accountId } = rollout;
  const name = { accountId, rolloutId };
  const shared = shareCalls(needs);
  const monitors = withSharedViews(createMonitorKind(shared));
  const scenarios = withSharedViews(createScenarioKind(shared));
  const steps = await mapAtMost(AT_ONCE_MAX, pending, (item) => {
    signal.throwIfAborted();
    return isId('scenario', item.resourceId)
      ? prepareItem(shared, scenarios, { rollout, item })
      : prepareItem(shared, monitors, { rollout, item });
  });
  await stores.rolloutItems.noteAttempts(
    name,
    steps.flatMap(({ attempt }) => (attempt === undefined ? [] : [attempt])),
  );
  const saved = await mapAtMost(AT_ONCE_MAX, steps, (step) => saveStep(step, signal));
  const ends = saved.flatMap(({ end }) => (end === undefined ? [] : [end]));
  const layered = ends.flatMap(({ layeredId }) => layeredId ?? []);
  if (layered.length > 0) await followLayers(needs, { accountId, ids: layered });
  const events = ends.flatMap(({ event }) => (event === undefined ? [] : [event]));
  if (events.length > 0) await stores.audit.add(accountId, events);
  await stores.rolloutItems.noteOutcomes(
    name,
    ends.map(({ outcome }) => outcome),
  );
  const failed = saved.find(({ reason }) => reason !== undefined);
  // Throws the failure only if no item ended, so that the workflow waits before it retries. Otherwise, the next slice
  // follows at once.
  if (failed !== undefined && ends.length === 0) throw failed.reason;
}

type Saved = {
  readonly end?: Awaited<ReturnType<Step['save']>> | undefined;
  readonly reason?: unknown;
};

/**
 * Saves a resource. If a server is unavailable, returns its error instead of throwing, so that the outcomes of other
 * resources are not lost.
 */
async function saveStep({ save }: Step, signal: AbortSignal): Promise<Saved> {
  if (signal.aborted) return { reason: signal.reason };
  try {
    return { end: await save() };
  } catch (reason) {
    if (!isUnavailable(reason)) throw reason;
    return { reason };
  }
}

/** Ends a rollout without pending resources. From then on, secret values in its change are masked. */
export async function endRollout(needs: RolloutNeeds, name: RolloutName): Promise<void> {
  const { stores, clock } = needs;
  const { accountId, rolloutId } = name;
  const rollout = await stores.rollouts.find(accountId, rolloutId);
  if (rollout === null || rollout.state === 'ended') return;
  const { cause, change } = rollout;
  const endedAtMs = clock.now();
  const undoUntilMs = endedAtMs + UNDO_WITHIN_MS;
  await stores.rolloutItems.setUndoUntil(name, undoUntilMs);
  await stores.rollouts.end(accountId, {
    id: rolloutId,
    endedAtMs,
    undoUntilMs: cause.type === 'undo' ? null : undoUntilMs,
    counts: await stores.rolloutItems.countStates(name),
    change: change.type === 'edit' ? { ...change, set: maskSecrets(change.set) } : change,
  });
  await recordRollout(needs, await stores.rollouts.find(accountId, rolloutId));
  await stores.rollouts.close(accountId, rolloutId);
}

interface SavedItems {
  readonly accountId: string;
  readonly ids: readonly string[];
}

/**
 * Composes saved resources again if their profile or environment has changed. Must be called after they were saved,
 * because a resource may have started to use the profile or environment just after the change. If a definition would
 * become invalid, it stays as it was saved.
 */
async function followLayers(needs: RolloutNeeds, { accountId, ids }: SavedItems): Promise<void> {
  const fresh = shareCalls(needs);
  const monitors = createMonitorKind(fresh);
  const scenarios = createScenarioKind(fresh);
  await mapAtMost(AT_ONCE_MAX, ids, (id) =>
    isId('scenario', id)
      ? followOne(fresh, scenarios, { accountId, id })
      : followOne(fresh, monitors, { accountId, id }),
  );
}

async function followOne<Types extends KindTypes>(
  needs: RolloutNeeds,
  kind: Kind<Types>,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<void> {
  const stored = await kind.store.find(accountId, id);
  if (stored === null || stored.state === 'deleting') return;
  if (await hasCurrentLayers(needs, kind, stored)) return;
  try {
    const next = await recompose(needs, kind, stored);
    await saveChange(needs, kind, {
      find: async () => (await kind.store.find(accountId, id)) ?? stored,
      change: (previous) => (previous.version === stored.version ? next : previous),
    });
  } catch (error) {
    if (!(error instanceof AppError) || isUnavailable(error)) throw error;
  }
}

/**
 * Finds resources that the rollout must compose again before it ends. There are none for an edit, because its list of
 * resources is fixed.
 */
async function findLateUsers(needs: RolloutNeeds, rollout: Rollout): Promise<readonly string[]> {
  const users = readUsers(rollout.cause);
  if (users === null) return findLateProfileUsers(needs, rollout);
  return (await findStaleUsers(needs, rollout.accountId, users)).map(({ id }) => id);
}

/**
 * Finds resources with outdated values of the profile. Leaves out resources that the rollout skipped or failed to
 * change.
 */
async function findLateProfileUsers(
  { stores }: RolloutNeeds,
  rollout: Rollout,
): Promise<readonly string[]> {
  const { accountId } = rollout;
  const key = await findProfileKey({ stores }, rollout);
  const profile = key === null ? null : await stores.profiles.findByKey(accountId, key);
  if (profile === null) return [];
  const filter = { profile: profile.key };
  const users: readonly Resource[] = [
    ...(await findUsers(stores.monitors, accountId, filter)),
    ...(await findUsers(stores.scenarios, accountId, filter)),
  ];
  const late: string[] = [];
  for (const { id, profileVersion } of users) {
    if (profileVersion === profile.setVersion) continue;
    const item = await stores.rolloutItems.find({ accountId, rolloutId: rollout.id }, id);
    if (item?.state !== 'failed' && item?.state !== 'skipped') late.push(id);
  }
  return late;
}

/**
 * Returns the key of the profile whose values the rollout applies. If the rollout is an undo, returns the profile of
 * the original rollout. Returns null if the rollout applies no profile.
 */
async function findProfileKey(
  { stores }: Pick<RolloutNeeds, 'stores'>,
  { accountId, cause }: Rollout,
): Promise<string | null> {
  if (cause.type === 'profile') return cause.key;
  if (cause.type !== 'undo') return null;
  const undone = await stores.rollouts.find(accountId, cause.rolloutId);
  return undone?.cause.type === 'profile' ? undone.cause.key : null;
}

function readUsers(cause: RolloutCause) {
  if (cause.type === 'environment') return { environment: cause.key };
  return cause.type === 'variables' ? VARIABLE_USERS : null;
}

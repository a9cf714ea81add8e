/**
 * Makes the workflows in Temporal match the database. Starts lost workflows, notifies or stops other workflows, and
 * completes deletions. Every step is idempotent.
 */
import type { ResourceKind } from '../../contracts/definition';
import type { ReconcileEntry, ReconcileSource } from '../../models/operations/reconcile-source';
import type { Monitor } from '../../models/resources/monitors';
import type { Resource } from '../../models/resources/resource';
import type { Scenario } from '../../models/resources/scenarios';
import type { Logger } from '../../platform/logger';
import { interleave, runAtPace } from '../../platform/paced';
import type { Dependencies } from '../ports/dependencies';
import { readLastKnownState } from '../resources/last-known-state';
import {
  createMonitorPort,
  createScenarioPort,
  type ResourcePort,
} from '../resources/resource-port';
import { createFirstStatus } from '../resources/save-resource';
import { type LastKnownState, seedMonitorState, seedScenarioState } from '../resources/seed-state';
import type { OpenWorkflow, ReconcileGateway } from './reconcile-gateway';

/** A difference must be at least this old to be repaired. A younger difference may belong to a request in progress. */
const LEFT_BEHIND_AFTER_MS = 60_000;
/** The clocks of the API and the orchestrator may differ by this much. */
const CLOCK_SLACK_MS = 60_000;
const PAGE_SIZE = 500;
const PER_SECOND_MIN = 20;
/** The time within which even the loss of all workflows is repaired. */
const ALL_WITHIN_S = 15 * 60;
const AT_ONCE = 8;
const SAY_EVERY = 250;
/**
 * How often workflows are listed. All other passes only count workflows, and list them if the count is wrong. Listing
 * 2,000 workflows blocks Temporal's development server for 600 ms. Counting them takes 8 ms.
 */
const LISTED_EVERY_MS = 10 * 60_000;
/** After this many failures in a row, the pass ends, because such failures have a common cause. */
const CONSECUTIVE_FAILURES_MAX = 5;

export interface ReconcileNeeds
  extends Pick<Dependencies, 'stores' | 'gateway' | 'clock' | 'sleep'> {
  readonly source: ReconcileSource;
  readonly temporal: ReconcileGateway;
  readonly logger: Logger;
}

export interface ReconcilePass {
  readonly beganAtMs: number;
  /**
   * The workflow of a resource is notified again if the resource has changed since this time. null means that all
   * workflows are notified.
   */
  readonly sinceMs: number | null;
  readonly signal: AbortSignal;
}

/** How many workflows were started, notified and stopped, and how many deletions were completed. */
export interface Reconciled {
  readonly started: number;
  readonly notified: number;
  readonly stopped: number;
  readonly deleted: number;
  readonly failed: number;
}

type Repair = Exclude<keyof Reconciled, 'failed'>;

interface Job {
  readonly repair: Repair;
  readonly id: string;
  /** The account. null means a workflow without a resource. */
  readonly accountId: string | null;
  readonly run: () => Promise<void>;
}

/**
 * Returns the number of repairs per second. A low number does not disturb checks. If there are many repairs, the number
 * is high enough to make all of them within `ALL_WITHIN_S`.
 */
export function repairsPerSecond(repairs: number): number {
  return Math.max(PER_SECOND_MIN, Math.ceil(repairs / ALL_WITHIN_S));
}

/** Runs a pass. Throws if Temporal or the database is unavailable. Repairs that were already made stay. */
export async function reconcile(needs: ReconcileNeeds, pass: ReconcilePass): Promise<Reconciled> {
  const jobs = [
    ...(await findJobs(needs, pass, monitorSide(needs))),
    ...(await findJobs(needs, pass, scenarioSide(needs))),
  ];
  return carryOut(needs, pass, jobs);
}

/** The resources of one kind, monitors or scenarios, that are compared with their workflows. */
interface Side<Entity extends Resource> {
  readonly kind: ResourceKind;
  readonly port: ResourcePort<Entity>;
  readonly restore: (standing: LastKnownState<Entity>) => Promise<void>;
}

function monitorSide(needs: ReconcileNeeds): Side<Monitor> {
  const { temporal, clock } = needs;
  return {
    kind: 'monitor',
    port: createMonitorPort(needs),
    restore: (standing) => temporal.restoreMonitor(seedMonitorState(standing, clock.now())),
  };
}

function scenarioSide(needs: ReconcileNeeds): Side<Scenario> {
  const { temporal, clock } = needs;
  return {
    kind: 'scenario',
    port: createScenarioPort(needs),
    restore: (standing) => temporal.restoreScenario(seedScenarioState(standing, clock.now())),
  };
}

/** True for passes that list all workflows: the first pass, and then one pass every ten minutes. */
function listsWorkflows({ beganAtMs, sinceMs }: ReconcilePass): boolean {
  const spanOf = (atMs: number): number => Math.floor(atMs / LISTED_EVERY_MS);
  return sinceMs === null || spanOf(beganAtMs) !== spanOf(sinceMs);
}

/** Finds the repairs. Most passes compare definitions and workflows only if there are not equally many of them. */
async function findJobs<Entity extends Resource>(
  needs: ReconcileNeeds,
  pass: ReconcilePass,
  side: Side<Entity>,
): Promise<readonly Job[]> {
  if (listsWorkflows(pass)) return compare(needs, pass, side);
  const count = await needs.temporal.countOpen(side.kind);
  const entries = await readEntries(needs, side.kind, pass.signal);
  const living = entries.filter(({ state }) => state !== 'deleting');
  if (count !== living.length) return compare(needs, pass, side);
  return listJobs(needs, pass, side, { entries, openIds: new Set(living.map(({ id }) => id)) });
}

/**
 * Compares workflows with resources. Workflows are listed first. A resource is stored before its workflow starts, so a
 * workflow without a resource belongs to a deleted resource. If Temporal's list lacks a running workflow, the repair
 * does no harm, because it only notifies the workflow again.
 */
async function compare<Entity extends Resource>(
  needs: ReconcileNeeds,
  pass: ReconcilePass,
  side: Side<Entity>,
): Promise<readonly Job[]> {
  const open = await needs.temporal.listOpen(side.kind);
  const openIds = new Set(open.map(({ id }) => id));
  const entries = await readEntries(needs, side.kind, pass.signal);
  const known = new Set(entries.map(({ id }) => id));
  const leftBeforeMs = needs.clock.now() - LEFT_BEHIND_AFTER_MS;
  const orphans = open.filter(
    ({ id, startedAtMs }) => !known.has(id) && startedAtMs <= leftBeforeMs,
  );
  return [
    ...listJobs(needs, pass, side, { entries, openIds }),
    ...orphans.map((orphan) => stopJob(needs, side.kind, orphan)),
  ];
}

interface Standing {
  readonly entries: readonly ReconcileEntry[];
  readonly openIds: ReadonlySet<string>;
}

function listJobs<Entity extends Resource>(
  needs: ReconcileNeeds,
  { sinceMs }: ReconcilePass,
  side: Side<Entity>,
  { entries, openIds }: Standing,
): readonly Job[] {
  const nowMs = needs.clock.now();
  const changedAfterMs = (sinceMs ?? 0) - CLOCK_SLACK_MS;
  return entries.flatMap((entry): Job[] => {
    const { id, accountId } = entry;
    if (entry.state === 'deleting') {
      const isLeft = entry.updatedAtMs <= nowMs - LEFT_BEHIND_AFTER_MS;
      const run = (): Promise<void> => finishDelete(side, entry);
      return isLeft ? [{ id, accountId, repair: 'deleted', run }] : [];
    }
    const run = (): Promise<void> => repairResource(needs, side, entry);
    if (!openIds.has(id)) return [{ id, accountId, repair: 'started', run }];
    // A resource with version 1 has not changed since its workflow was started.
    const isKnown = entry.version === 1 || entry.updatedAtMs < changedAfterMs;
    return isKnown ? [] : [{ id, accountId, repair: 'notified', run }];
  });
}

async function readEntries(
  { source }: ReconcileNeeds,
  kind: ResourceKind,
  signal: AbortSignal,
): Promise<readonly ReconcileEntry[]> {
  const entries: ReconcileEntry[] = [];
  for (;;) {
    signal.throwIfAborted();
    const afterId = entries.at(-1)?.id ?? '';
    const page = await source.listEntries(kind, { afterId, limit: PAGE_SIZE });
    entries.push(...page);
    if (page.length < PAGE_SIZE) return entries;
  }
}

/**
 * Repairs the workflow of a resource. A running workflow ignores the configuration unless it is newer than the current
 * configuration of the workflow.
 */
async function repairResource<Entity extends Resource>(
  needs: ReconcileNeeds,
  { port, restore }: Side<Entity>,
  { accountId, id }: ReconcileEntry,
): Promise<void> {
  const { stores } = needs;
  const resource = await port.store.find(accountId, id);
  if (resource === null || resource.state === 'deleting') return;
  const standing = await readLastKnownState(needs, resource);
  if (standing.status === null)
    await stores.statuses.create(accountId, createFirstStatus(resource));
  // A change writes the resource before its revision, so the revision may be missing after a crash.
  await stores.revisions.save(accountId, port.readDefinition(resource));
  await restore(standing);
}

async function finishDelete<Entity extends Resource>(
  { port }: Side<Entity>,
  { accountId, id }: ReconcileEntry,
): Promise<void> {
  await port.stop(id);
  await port.store.remove(accountId, id);
}

function stopJob(
  { source, temporal }: ReconcileNeeds,
  kind: ResourceKind,
  { id }: OpenWorkflow,
): Job {
  const run = async (): Promise<void> => {
    if (!(await source.isPresent(kind, id))) await temporal.stop(kind, id);
  };
  return { repair: 'stopped', id, accountId: null, run };
}

async function carryOut(
  { clock, logger, sleep }: ReconcileNeeds,
  { signal }: ReconcilePass,
  jobs: readonly Job[],
): Promise<Reconciled> {
  const done = { started: 0, notified: 0, stopped: 0, deleted: 0, failed: 0 };
  if (jobs.length === 0) return done;
  const beganAtMs = clock.now();
  logger.info({ repairs: jobs.length }, 'reconcile: Temporal differs from the database');
  let finished = 0;
  let consecutiveFailures = 0;
  const perSecond = repairsPerSecond(jobs.length);
  const ordered = interleave(jobs, ({ accountId }) => accountId ?? '');
  await runAtPace(ordered, { perSecond, atOnce: AT_ONCE, sleep, signal }, async (job) => {
    try {
      await job.run();
      done[job.repair] += 1;
      consecutiveFailures = 0;
    } catch (error) {
      logger.warn({ err: error, id: job.id, repair: job.repair }, 'reconcile: a repair failed');
      done.failed += 1;
      consecutiveFailures += 1;
      if (consecutiveFailures >= CONSECUTIVE_FAILURES_MAX) throw error;
    }
    finished += 1;
    if (finished % SAY_EVERY === 0)
      logger.info(done, `reconcile: ${finished} of ${jobs.length} repairs are done`);
  });
  logger.info({ ...done, tookMs: clock.now() - beganAtMs }, 'reconcile: done');
  return done;
}

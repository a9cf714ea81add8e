/**
 * The data: what the rest of the service may use of it. Everything that enters and leaves is a
 * plain object; Mongoose stays in this folder.
 */
import { type Clock, systemClock } from '../platform/clock';
import type { SettleStore, Stores } from '../services/stores';
import { createAccountStore } from './accounts';
import { createApiKeyStore } from './api-keys';
import type { Models } from './collections';
import type { Database } from './database';
import { guarded, withinDeadline } from './deadline';
import { createIdempotencyStore } from './idempotency';
import { closeIncident, createIncidentStore, openIncident, recordPastIncident } from './incidents';
import { createMonitorStore } from './monitors';
import { createRegionStore } from './regions';
import { createRemovals } from './removals';
import { createResultStore, insertResults } from './results';
import { createRevisionStore } from './revisions';
import { createRunStore, saveRun } from './runs';
import { createScenarioStore } from './scenarios';
import { createSessionStore } from './sessions';
import { createSettle, type SettleSteps } from './settle';
import { advanceStatus, createStatusStore, isStatusPresent, noteIncident } from './statuses';
import { createUserStore } from './users';

export { connectDatabase, type Database, ensureIndexes } from './database';

/** The stores of all use cases; each call fails with `engine_unavailable` while the database is away. */
export function createStores({ models }: Database, clock: Clock = systemClock): Stores {
  const { remove } = createRemovals(models, clock);
  return {
    accounts: guarded(createAccountStore(models.accounts)),
    users: guarded(createUserStore(models.users)),
    apiKeys: guarded(createApiKeyStore(models.apiKeys)),
    sessions: guarded(createSessionStore(models.sessions)),
    idempotency: guarded(createIdempotencyStore(models.idempotency, clock)),
    monitors: guarded(
      createMonitorStore(models.monitors, (accountId, id) => remove('monitor', accountId, id)),
    ),
    scenarios: guarded(
      createScenarioStore(models.scenarios, (accountId, id) => remove('scenario', accountId, id)),
    ),
    revisions: guarded(createRevisionStore(models.revisions, clock)),
    statuses: guarded(createStatusStore(models.statuses)),
    results: guarded(createResultStore(models.results)),
    runs: guarded(createRunStore(models.runs)),
    incidents: guarded(createIncidentStore(models.incidents)),
    regions: guarded(createRegionStore(models.regionProbes)),
  };
}

/** The store of the settling activities; repeated calls change nothing. */
export function createSettleStore({ models }: Database): SettleStore {
  return guarded(createSettle(settleSteps(models)));
}

/** How much longer than its budget a sweep may take: its last batch. */
const SWEEP_GRACE_MS = 10_000;

/** Work that is done from time to time. */
export interface Housekeeping {
  /** Goes on deleting what belonged to removed resources; how many removals are left. */
  readonly sweepRemovals: (budgetMs: number) => Promise<number>;
}

export function createHousekeeping({ models }: Database, clock: Clock = systemClock): Housekeeping {
  const { sweep } = createRemovals(models, clock);
  return {
    sweepRemovals: (budgetMs) => withinDeadline(() => sweep(budgetMs), budgetMs + SWEEP_GRACE_MS),
  };
}

/** The writes of settling on real collections; tests put a crash between them. */
export function settleSteps(models: Models): SettleSteps {
  const { statuses, results, runs, incidents } = models;
  return {
    advanceStatus: (change) => advanceStatus(statuses, change),
    isStatusPresent: (accountId, id) => isStatusPresent(statuses, accountId, id),
    noteIncident: (note) => noteIncident(statuses, note),
    insertResults: (rows) => insertResults(results, rows),
    saveRun: (run) => saveRun(runs, run),
    findRun: (accountId, runId) => createRunStore(runs).find(accountId, runId),
    openIncident: (incident) => openIncident(incidents, incident),
    closeIncident: (closing) => closeIncident(incidents, closing),
    recordPastIncident: (incident, closedAtMs) =>
      recordPastIncident(incidents, incident, closedAtMs),
  };
}

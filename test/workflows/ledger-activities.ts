/** The activities of a virtual service. Where possible, they are the real activities on top of a ledger. */

import type { Client } from '@temporalio/client';
import { createAlertAdmission } from '../../src/activities/alerting/admit-or-fold';
import { createFoldBatches } from '../../src/activities/alerting/fold-batches';
import { createDependencyActivities } from '../../src/activities/dependency-activities';
import { createHeartbeatActivities } from '../../src/activities/heartbeat-activities';
import { createRecordActivities } from '../../src/activities/record-activities';
import type { RecordActivities } from '../../src/contracts/activities';
import type {
  AlertActivities,
  AlertMessage,
  AlertPreparation,
  FoldedAlert,
} from '../../src/contracts/alerts';
import type { BacklogActivities } from '../../src/contracts/backlog';
import type { AlertAdmission } from '../../src/contracts/digests';
import type { EscalationActivities, FoundPolicy } from '../../src/contracts/escalation';
import type { HeartbeatActivities } from '../../src/contracts/heartbeat';
import type { ResultStore } from '../../src/models/results/result';
import { systemClock } from '../../src/platform/clock';
import { AppError } from '../../src/platform/errors';
import type { CheckRecorder } from '../../src/services/results/record-check';
import { foldAlerts, isEscalating } from '../../src/temporal/calls/alert-calls';
import { reportHealth } from '../../src/temporal/calls/health-calls';
import type { Ledger } from './ledger';
import { createHousekeeping } from './virtual-housekeeping';
import { type WatchApi, watchApi, watchedResults } from './watch-ledger';

/** The database in which workflows and probes store results. */
export interface ResultDatabase {
  readonly recorder: CheckRecorder;
  readonly results: Pick<ResultStore, 'page'>;
  /** Returns the API as one probe process calls it. */
  readonly watchApi: (region: string, instance: string) => WatchApi;
}

interface HubNeeds {
  readonly client: Client;
  readonly mayBeWatched: boolean;
  readonly database: ResultDatabase;
}

/** Returns the activities of the orchestrator's worker. */
export function orchestratorActivities(
  ledger: Ledger,
  { client, mayBeWatched, database }: HubNeeds,
) {
  return {
    ...hubOf(ledger, database, mayBeWatched),
    ...createHousekeeping(ledger),
    ...preparationOf(ledger),
    ...admissionOf(ledger, client),
    ...inboxOf(ledger),
    ...createDependencyActivities({
      reportHealth: (id, question) => {
        if (ledger.dropsSignals) throw new Error('nobody can be asked');
        ledger.questions.push(id);
        return reportHealth(client, id, question);
      },
      clock: systemClock,
    }),
  };
}

type Take = <Row>(
  rows: Row[],
  row: Row,
  place: readonly (string | number)[],
) => Promise<{ readonly gone: boolean }>;

/** Creates a function that stores a record. As in the real store, each slot is stored only once. */
function createTake(ledger: Ledger): Take {
  const taken = new Set<string>();
  return async (rows, row, [id, ...key]) => {
    if (ledger.isAway) throw new AppError('unavailable', 'the database is away');
    const isSettled = key[0] !== 'operator';
    if (isSettled && ledger.refused.has(String(id))) throw new Error('the database refuses it');
    if (ledger.gone.has(String(id))) return { gone: true };
    const place = [id, ...key].join(' ');
    if (!taken.has(place)) rows.push(row);
    taken.add(place);
    return { gone: false };
  };
}

/** Creates a database that writes results unchanged to the ledger. */
export function ledgerDatabase(ledger: Ledger): ResultDatabase {
  const take = createTake(ledger);
  return {
    recorder: {
      recordMonitorCheck: async (record) => {
        await ledger.gate;
        return take(ledger.checks, record, [record.monitorId, record.slotMs, record.kind]);
      },
      recordScenarioSlot: async (record) => {
        ledger.slotsAtGate += 1;
        await ledger.gate;
        const { scenarioId, slotMs, region, kind } = record;
        return take(ledger.slots, record, [scenarioId, slotMs, region, kind]);
      },
      saveDecisions: async ({ incident }) => {
        ledger.decisions.push(incident);
        return true;
      },
      saveRun: (run) => take(ledger.runs, run, [run.scenarioId, run.runId, run.sequence]),
    },
    results: watchedResults(ledger),
    watchApi: (region) => watchApi(ledger, region),
  };
}

/** Returns the real activities that store results, on top of the given database. */
function hubOf(
  ledger: Ledger,
  { recorder, results }: ResultDatabase,
  mayBeWatched: boolean,
): RecordActivities & BacklogActivities {
  const take = createTake(ledger);
  const recording = createRecordActivities({
    recorder,
    // Contains only the store of results, because changes by operators are handled below.
    stores: { results } as never,
    refusedRecords: {
      keep: async (row) => void ledger.givenUp.push(row),
      count: async () => ledger.givenUp.length,
    },
    clock: systemClock,
    logger: { error: () => undefined },
    mayBeWatched,
  });
  const counted = <Given extends unknown[], Answer>(call: (...given: Given) => Promise<Answer>) => {
    return (...given: Given): Promise<Answer> => {
      ledger.handOvers += 1;
      return call(...given);
    };
  };
  return {
    ...recording,
    recordWaiting: counted(recording.recordWaiting),
    saveOperatorChange: async (record) => {
      const version = record.version + 1;
      const key = [record.id, 'operator', record.version];
      return { ...(await take(ledger.operatorChanges, record, key)), version };
    },
  };
}

/** Returns the real activity that reads pings, on top of the pings that tests send. */
function inboxOf(ledger: Ledger): HeartbeatActivities {
  const requireDatabase = (): void => {
    if (ledger.isAway) throw new AppError('unavailable', 'the database is away');
  };
  return createHeartbeatActivities({
    pings: {
      insert: async (_account, ping) => void ledger.pings.push(ping),
      listWaiting: async (_account, monitorId, limit) => {
        requireDatabase();
        return ledger.pings.filter((ping) => ping.monitorId === monitorId).slice(0, limit);
      },
      noteJudged: async (_account, ids) => {
        requireDatabase();
        for (const id of ids) {
          const index = ledger.pings.findIndex((ping) => ping.id === id);
          if (index >= 0) ledger.pings.splice(index, 1);
        }
      },
      listOverdueMonitors: async () => [],
    },
    serviceUptime: {
      note: async () => undefined,
      read: async () => ({
        lastAtMs: ledger.absentSinceMs ?? Date.now(),
        absences: ledger.absences,
      }),
    },
  });
}

/**
 * Returns the activities that find recipients and policies. The recipients are those that the rule had when it was
 * saved.
 */
function preparationOf(ledger: Ledger): AlertPreparation & EscalationActivities {
  return {
    findPolicy: async (alert) => (ledger.isAway ? null : findPolicy(ledger, alert)),
    readEscalationStatus: async ({ alert, stepHours = [], atMs }) => ({
      state: ledger.standings.get(alert.resourceId) ?? 'open',
      silence: null,
      quietUntilMs: ledger.quietUntilMs > atMs ? ledger.quietUntilMs : null,
      closedSteps: stepHours.flatMap((key, step) => {
        const untilMs = ledger.closedUntilMs.get(key ?? '') ?? 0;
        return untilMs > atMs ? [{ step, untilMs }] : [];
      }),
    }),
    saveEscalation: async ({ incidentId, state }) => {
      if (ledger.isAway) throw new Error('the database is away');
      ledger.escalations.set(incidentId, state);
    },
    findRecipients: async (input) => ledger.findRecipients(input),
    admitAlert: async () => count(ledger),
  };
}

function findPolicy(
  ledger: Ledger,
  { resourceId, incidentId, kind }: AlertMessage,
): FoundPolicy | null {
  const known = ledger.escalations.get(incidentId ?? '');
  if (known !== undefined && (kind === 'recovery' || !known.isOver))
    return { ...known.plan, known };
  return ledger.policies.get(resourceId) ?? null;
}

function count(ledger: Ledger): boolean {
  ledger.admits -= 1;
  return ledger.admits >= 0;
}

/**
 * Returns the real activity that admits alerts, on top of a database in memory. Like the real database, it stores a
 * record of every folded alert.
 */
function admissionOf(ledger: Ledger, client: Client): AlertAdmission {
  const requireDatabase = (): void => {
    if (ledger.isAway) throw new AppError('unavailable', 'the database is away');
  };
  return createAlertAdmission({
    findPolicy: async (alert) => {
      requireDatabase();
      return findPolicy(ledger, alert);
    },
    isEscalating: (incidentId) => isEscalating(client, incidentId),
    findTargets: async (input) => ledger.findRecipients(input),
    readFolding: async ({ id }) => {
      requireDatabase();
      if (isFolded(ledger, id)) return 'done';
      return ledger.folding.has(id) ? 'begun' : null;
    },
    isIncidentFolding: async (_accountId, incidentId) =>
      [...ledger.folding.values()].some(
        (alert) => alert.incidentId === incidentId && !isFolded(ledger, alert.id),
      ),
    count: async () => {
      requireDatabase();
      return count(ledger);
    },
    noteFolding: async ({ alert }) => {
      requireDatabase();
      ledger.folding.set(alert.id, alert);
    },
    fold: foldInto(ledger, client),
    logger: { warn: () => undefined },
  });
}

function isFolded({ folded }: Ledger, alertId: string): boolean {
  return folded.some(({ id }) => id === alertId);
}

function foldInto(ledger: Ledger, client: Client): (folded: FoldedAlert) => Promise<void> {
  return createFoldBatches(async (batch) => {
    const failure = ledger.foldFailures.shift();
    if (failure === 'lost') throw new AppError('unavailable', 'Temporal is away');
    await foldAlerts(client, batch);
    ledger.foldSignals.push(batch.map(({ alert }) => alert.id));
    if (failure === 'response lost') throw new AppError('unavailable', 'Temporal is away');
    if (failure === 'no response') await new Promise(() => undefined);
  });
}

/** Returns activities whose receivers respond as the tests decide. */
export function alertsOf(ledger: Ledger, client: Client): AlertActivities {
  const fold = foldInto(ledger, client);
  return {
    deliverAlert: async ({ alert, target, lostTries = 0 }) => {
      const atMs = Date.now();
      ledger.tries.push({ alert, target: target.key, atMs, lostTries });
      const answer = ledger.receivers.get(target.key);
      return answer === undefined ? { kind: 'sent', detail: 'taken' } : answer();
    },
    saveDelivery: async (record) => {
      if (ledger.isAway) throw new Error('the database is away');
      ledger.deliveries.set(`${record.alert.id} ${record.target.key}`, record);
    },
    // If a step continues until the recovery, an acknowledgement does not end the step.
    findQuietIncidents: async ({ incidentIds, until }) =>
      until === 'recovered' ? [] : incidentIds.filter((id) => ledger.quiet.has(id)),
    findReported: async ({ deliveries }) =>
      deliveries.flatMap(({ alert: { id } }) => (isFolded(ledger, id) ? [id] : [])),
    foldIntoDigest: (folded) => fold({ ...folded, isRepeated: true }),
    keepFolded: async (folded) => {
      if (ledger.isAway) throw new Error('the database is away');
      for (const { alert } of folded) ledger.folded.push(alert);
    },
  };
}

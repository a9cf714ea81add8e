/**
 * Settling: what one slot leaves in the database. The status is written first, since a missing one
 * says that the resource is gone; every later step may be repeated, so a crash anywhere between
 * them heals when the call is repeated.
 */
import type { SettleAnswer } from '../contracts/activities';
import type { MonitorCheckRecord, RunRecord, ScenarioSlotRecord } from '../contracts/records';
import type { ResultRow } from '../services/rows';
import type { SettleStore } from '../services/stores';
import type { OpenedIncident } from './incidents';
import { resultId } from './result-id';
import { monitorRows, scenarioRows } from './settled-rows';
import { monitorChange, scenarioChange } from './status-changes';
import { type IncidentNote, isAnswering, type Standing, type StatusChange } from './statuses';

/** The single writes that settling is made of; each is atomic and may be repeated. */
export interface SettleSteps {
  readonly advanceStatus: (change: StatusChange) => Promise<Standing>;
  readonly isStatusPresent: (accountId: string, id: string) => Promise<boolean>;
  readonly insertResults: (rows: readonly ResultRow[]) => Promise<void>;
  readonly saveRun: (run: RunRecord) => Promise<void>;
  readonly findRun: (accountId: string, runId: string) => Promise<RunRecord | null>;
  readonly openIncident: (incident: OpenedIncident) => Promise<string>;
  readonly closeIncident: (closing: ClosedIncident) => Promise<void>;
  readonly noteIncident: (note: IncidentNote) => Promise<void>;
  readonly recordPastIncident: (incident: OpenedIncident, closedAtMs: number) => Promise<void>;
}

interface ClosedIncident {
  readonly accountId: string;
  readonly id: string;
  readonly closedAtMs: number;
}

const GONE: SettleAnswer = { gone: true };
const KEPT: SettleAnswer = { gone: false };

export function createSettle(steps: SettleSteps): SettleStore {
  return {
    async settleMonitor(record) {
      const standing = await steps.advanceStatus(monitorChange(record));
      if (standing.kind === 'gone') return GONE;
      await steps.insertResults(monitorRows(record));
      const slot = { ...record, id: record.monitorId };
      await followHealth(steps, standing, { slot, describe: async () => monitorIncident(record) });
      return KEPT;
    },
    async settleScenario(record) {
      const standing = await steps.advanceStatus(scenarioChange(record));
      if (standing.kind === 'gone') return GONE;
      await steps.insertResults(scenarioRows(record));
      const slot = { ...record, id: record.scenarioId };
      await followHealth(steps, standing, {
        slot,
        describe: () => scenarioIncident(steps, record),
      });
      return KEPT;
    },
    async saveRun(run) {
      if (!(await steps.isStatusPresent(run.accountId, run.scenarioId))) return GONE;
      await steps.saveRun(run);
      return KEPT;
    },
  };
}

interface Turn {
  readonly slot: Pick<MonitorCheckRecord, 'accountId' | 'slotMs' | 'health' | 'healthSinceMs'> & {
    readonly id: string;
  };
  readonly describe: () => Promise<OpenedIncident>;
}

/**
 * Opens an incident when the resource is down and none is open, and closes the open one when it
 * answers again. The status is told last, so that an unfinished turn is taken again.
 */
async function followHealth(
  steps: SettleSteps,
  standing: Standing,
  { slot, describe }: Turn,
): Promise<void> {
  const { accountId, id, slotMs, health, healthSinceMs } = slot;
  const isDown = health === 'down';
  if (standing.kind === 'later') {
    // Slots that waited for the database come in any order: the recovery may be settled first.
    if (!isDown || standing.answeringSinceMs === null) return;
    await steps.recordPastIncident(await describe(), standing.answeringSinceMs);
  } else if (standing.kind === 'advanced' && isDown && standing.incidentId === null) {
    const incidentId = await steps.openIncident(await describe());
    await steps.noteIncident({ accountId, id, slotMs, incidentId });
  } else if (standing.kind === 'advanced' && isAnswering(health) && standing.incidentId !== null) {
    await steps.closeIncident({ accountId, id: standing.incidentId, closedAtMs: healthSinceMs });
    await steps.noteIncident({ accountId, id, slotMs, incidentId: null });
  }
}

function monitorIncident(record: MonitorCheckRecord): OpenedIncident {
  const { accountId, monitorId, slotMs, kind, healthSinceMs } = record;
  const failed = record.outcomes.filter(({ outcome }) => outcome.status === 'down');
  const first = failed[0];
  const failure = first?.outcome.failure ?? null;
  return {
    accountId,
    resourceType: 'monitor',
    resourceId: monitorId,
    openedAtMs: healthSinceMs,
    cause: failure === null ? null : { code: failure.code, message: failure.message },
    regions: failed.map(({ region }) => region),
    firstResultId:
      first === undefined ? null : resultId({ monitorId, region: first.region, slotMs, kind }),
    firstRunId: null,
  };
}

async function scenarioIncident(
  steps: SettleSteps,
  record: ScenarioSlotRecord,
): Promise<OpenedIncident> {
  const { accountId, scenarioId, runId, region, healthSinceMs } = record;
  const run = runId === null ? null : await steps.findRun(accountId, runId);
  const failure = run?.failure ?? null;
  return {
    accountId,
    resourceType: 'scenario',
    resourceId: scenarioId,
    openedAtMs: healthSinceMs,
    cause: failure === null ? null : { code: failure.code, message: failure.message },
    regions: [region],
    firstResultId: null,
    firstRunId: runId,
  };
}

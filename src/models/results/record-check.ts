/**
 * Recording: what one slot leaves in the database. Every step may be repeated, so a crash anywhere
 * between them heals when the call is repeated. Results come before the status: whoever finds the
 * status at a later hour then knows that its own result is there to be summed up.
 */
import type { RecordOutcome } from '../../contracts/activities';
import type { MonitorCheckRecord, RunRecord, ScenarioSlotRecord } from '../../contracts/records';
import { HOUR_MS, type TimeSpan } from '../../domain/health/summary';
import type { IncidentChange } from '../alerting/incidents';
import { type HealthChangeDocument, timelineOf } from './health-changes';
import type { Result } from './result';
import { resultId } from './result-id';
import { monitorRows, scenarioRows } from './results-of-slot';
import { monitorChange, scenarioChange } from './status-changes';
import type { StatusChange, StoredState } from './statuses';
import { type SummarySource, startOf } from './summaries';

/** Writes of the recording activities: one call per slot, idempotent by slot. */
export interface RecordStore {
  readonly recordMonitorCheck: (record: MonitorCheckRecord) => Promise<RecordOutcome>;
  readonly recordScenarioSlot: (record: ScenarioSlotRecord) => Promise<RecordOutcome>;
  readonly saveRun: (run: RunRecord) => Promise<RecordOutcome>;
}

/** The single writes that recording is made of; each is atomic and may be repeated. */
export interface RecordWrites {
  readonly advanceStatus: (change: StatusChange) => Promise<StoredState>;
  readonly isStatusPresent: (accountId: string, id: string) => Promise<boolean>;
  readonly insertResults: (rows: readonly Result[]) => Promise<void>;
  readonly deleteResults: (rows: readonly Result[]) => Promise<void>;
  readonly insertChanges: (changes: readonly HealthChangeDocument[]) => Promise<void>;
  readonly summariseHours: (source: SummarySource, span: SummedSpan) => Promise<void>;
  readonly noteSummaries: (owner: Owner, summarisedUntilMs: number) => Promise<void>;
  readonly saveRun: (run: RunRecord) => Promise<void>;
  readonly saveIncident: (incident: IncidentChange) => Promise<void>;
}

interface Owner {
  readonly accountId: string;
  readonly id: string;
}

type SummedSpan = TimeSpan & { readonly endedMs: number };

const GONE: RecordOutcome = { gone: true };
const KEPT: RecordOutcome = { gone: false };

export function recordStoreOver(steps: RecordWrites): RecordStore {
  return {
    async recordMonitorCheck(record) {
      const rows = monitorRows(record);
      const slot = { ...record, id: record.monitorId };
      return storeSlot(steps, slot, { rows, change: monitorChange(record) });
    },
    async recordScenarioSlot(record) {
      const rows = scenarioRows(record);
      const slot = { ...record, id: record.scenarioId };
      return storeSlot(steps, slot, { rows, change: scenarioChange(record) });
    },
    async saveRun(run) {
      if (!(await steps.isStatusPresent(run.accountId, run.scenarioId))) return GONE;
      await steps.saveRun(run);
      return KEPT;
    },
  };
}

type Slot = (MonitorCheckRecord | ScenarioSlotRecord) & Owner;

type SummaryStep = Pick<RecordWrites, 'summariseHours' | 'noteSummaries'>;

/** The slot whose coming closes the hours before it. */
type ClosingSlot = Owner & Pick<Slot, 'slotMs' | 'regionsHealth'>;

/** Results, status, incident, timeline and, once an hour, summaries. */
async function storeSlot(
  steps: RecordWrites,
  slot: Slot,
  { rows, change }: { readonly rows: readonly Result[]; readonly change: StatusChange },
): Promise<RecordOutcome> {
  await steps.insertResults(rows);
  const standing = await steps.advanceStatus(change);
  if (standing.kind === 'gone') {
    await steps.deleteResults(rows);
    return GONE;
  }
  const incident = incidentOf(slot);
  if (incident !== null) await steps.saveIncident(incident);
  await steps.insertChanges(timelineOf(slot.id, slot));
  const regions = [...new Set(rows.map(({ region }) => region))];
  if (standing.kind === 'advanced') await closeHours(steps, slot, { standing, regions });
  else await sumUpAgain(steps, slot, { regions, rows, lastSlotMs: standing.lastSlotMs });
  return KEPT;
}

interface Closing {
  readonly standing: Extract<StoredState, { readonly kind: 'advanced' }>;
  readonly regions: readonly string[];
}

/** The first slot of an hour sums up what lies before; so does the last one of a region. */
export async function closeHours(
  steps: SummaryStep,
  { accountId, id, slotMs, regionsHealth }: ClosingSlot,
  { standing, regions }: Closing,
): Promise<void> {
  const fromMs = standing.summarisedUntilMs;
  const hourMs = startOf(HOUR_MS, slotMs);
  const stays = new Set([...regions, ...regionsHealth.map(({ region }) => region)]);
  const left = standing.regions.filter((region) => !stays.has(region));
  for (const region of left) {
    const span = { fromMs, toMs: hourMs + HOUR_MS, endedMs: hourMs };
    await steps.summariseHours({ accountId, id, region }, span);
  }
  if (fromMs >= hourMs) return;
  for (const region of stays)
    await steps.summariseHours(
      { accountId, id, region },
      { fromMs, toMs: hourMs, endedMs: hourMs },
    );
  await steps.noteSummaries({ accountId, id }, hourMs);
}

/** A slot that comes after the summary of its hour has it made again. */
async function sumUpAgain(
  steps: RecordWrites,
  { accountId, id }: Slot,
  late: {
    readonly regions: readonly string[];
    readonly rows: readonly Result[];
    readonly lastSlotMs: number;
  },
): Promise<void> {
  const endedMs = startOf(HOUR_MS, late.lastSlotMs);
  const slots = late.rows.flatMap(({ slotMs, gap }) => [slotMs, gap?.toSlotMs ?? slotMs]);
  const fromMs = startOf(HOUR_MS, Math.min(...slots));
  const toMs = Math.min(endedMs, startOf(HOUR_MS, Math.max(...slots)) + HOUR_MS);
  if (fromMs >= toMs) return;
  for (const region of late.regions)
    await steps.summariseHours({ accountId, id, region }, { fromMs, toMs, endedMs });
}

/** The incident that the slot opened or closed, with what only the database knows by name. */
function incidentOf(slot: Slot): IncidentChange | null {
  const { incident, accountId, id } = slot;
  if (incident === null) return null;
  const isMonitor = 'monitorId' in slot;
  return {
    ...incident,
    accountId,
    resourceType: isMonitor ? 'monitor' : 'scenario',
    resourceId: id,
    firstResultId: isMonitor ? firstFailedResult(slot) : null,
  };
}

function firstFailedResult({
  monitorId,
  slotMs,
  kind,
  outcomes,
}: MonitorCheckRecord): string | null {
  const failed = outcomes.find(({ outcome }) => outcome.status === 'down');
  return failed === undefined ? null : resultId({ monitorId, region: failed.region, slotMs, kind });
}

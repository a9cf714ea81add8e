/** Finds out how far a watch came when it ended, and which slot must still be recorded. */
import { CancellationScope } from '@temporalio/workflow';
import type { Gap, MonitorCheckRecord } from '../../contracts/records';
import type { StoredOutcome, StoredOutcomesQuestion, WatchEnd } from '../../contracts/watches';
import type { MonitorConfig, MonitorState } from '../../contracts/workflows';
import {
  findMissedGap,
  findPassedGap,
  findSlotAtOrBefore,
  isOnGrid,
} from '../../domain/health/schedule';
import type { WorkflowContext } from '../loop/handlers';
import { isResting, listGrids } from '../loop/keep-time';
import { createUnknownOutcome } from '../loop/step-loss';
import { local, tryOnce } from '../loop/store-record';
import { checkRegion } from './check-regions';
import type { RegionEnd, WatchTime } from './watch';

/**
 * The maximum number of slots of which it is unknown whether they were checked and stored. A watch can have such slots
 * if it waited for the API before its first check.
 */
const UNSURE_SLOTS_MAX = 1_000;

/** A slot at which the watch ended, with the outcomes of all regions. */
export interface LastWatchedSlot {
  readonly slotMs: number;
  /** The configuration whose grid has the slot. */
  readonly config: MonitorConfig;
  readonly outcomes: MonitorCheckRecord['outcomes'];
  /** Earlier slots that certainly were not checked in one of the regions. null if there are none. */
  readonly gap: Gap | null;
}

/** The state of one region after the watch. */
interface RegionStand {
  readonly region: string;
  /** The last slot of the region that is stored. */
  readonly lastSlotMs: number;
  readonly responseTimeMs: number | null;
  /** The outcome after `lastSlotMs` that is not stored. Absent or null if there is none. */
  readonly found: WatchEnd['found'];
}

/**
 * Moves the state to the last slot that all regions have stored. Returns the first later slot that a region has
 * measured. Returns null if there is no such slot. The workflow checks the slots after the returned slot. So each slot
 * is stored once.
 */
export async function endWatch(
  context: WorkflowContext<MonitorState>,
  time: WatchTime,
  ends: readonly RegionEnd[],
): Promise<LastWatchedSlot | null> {
  const nowMs = Date.now();
  const unsure = ends.filter(({ isConfirmed }) => !isConfirmed).map(({ region }) => region);
  const stored = await readStored(time, unsure, [readBeforeMs(time) + 1, nowMs]);
  const known = { time, stored, nowMs };
  const stands = ends.map((end) => findStand(end, known));
  const lastSlotMs = Math.min(...stands.map((stand) => stand.lastSlotMs));
  const foundMs = stands.flatMap((stand) =>
    stand.found !== null && stand.lastSlotMs === lastSlotMs ? [stand.found.slotMs] : [],
  );
  const isFound = foundMs.length > 0;
  const config = findConfig(time, isFound ? Math.min(...foundMs) : lastSlotMs);
  const slotMs = isFound ? Math.min(...foundMs) : lastSlotMs + config.intervalMs;
  noteStands(context, stands, lastSlotMs);
  if (stored === null) noteUnconfirmed(context, { ...known, config, slotMs, ends });
  const isBegun = stands.some((stand) => stand.lastSlotMs >= slotMs);
  // If the slot is over and no region reported a different outcome, the main loop records the slot as missed.
  const isOver = slotMs + config.intervalMs <= nowMs;
  if (!isFound && (!isBegun || isOver)) return null;
  const outcomes = await readOutcomes(context, { config, stands, slotMs, stored: stored ?? [] });
  const grids = context.state.formerGrids === undefined ? [config] : listGrids(context.state);
  const passed = findMissedGap(grids, { lastSlotMs, beforeMs: slotMs });
  return { slotMs, config, outcomes, gap: stored === null ? null : passed };
}

function readBeforeMs({ config, firstSlotMs }: WatchTime): number {
  return firstSlotMs - config.intervalMs;
}

/** Returns the configuration under which the watch checked this slot. */
function findConfig({ config, followed }: WatchTime, slotMs: number): MonitorConfig {
  return followed !== undefined && isOnGrid(followed, slotMs) ? followed : config;
}

interface Known {
  readonly time: WatchTime;
  /** The stored outcomes. null if the database is unavailable. */
  readonly stored: readonly StoredOutcome[] | null;
  readonly nowMs: number;
}

function findStand(
  { region, lastStoredMs, responseTimeMs, found, isConfirmed }: RegionEnd,
  { time, stored, nowMs }: Known,
): RegionStand {
  const config = time.followed ?? time.config;
  const beforeMs = readBeforeMs(time);
  const newest = stored?.find((one) => one.region === region);
  // The database cannot be read, so this is a guess: a probe that is alive has stored all slots except the newest.
  const assumedMs = findSlotAtOrBefore(config, nowMs) - config.intervalMs;
  const isAssumed = !isConfirmed && found === null && stored === null;
  const known = [beforeMs, lastStoredMs ?? beforeMs, newest?.slotMs ?? beforeMs];
  const lastSlotMs = Math.max(...known, ...(isAssumed ? [assumedMs] : []));
  const isNew = found !== null && found.slotMs > lastSlotMs;
  return {
    region,
    lastSlotMs,
    responseTimeMs: newest?.outcome.responseTimeMs ?? responseTimeMs,
    found: isNew ? found : null,
  };
}

/** Brings the state up to date with the results that the watch stored. */
function noteStands(
  context: WorkflowContext<MonitorState>,
  stands: readonly RegionStand[],
  lastSlotMs: number,
): void {
  const { state } = context;
  const regions = state.health.regions.map((known) => {
    const stand = stands.find(({ region }) => region === known.region);
    return { ...known, lastResponseTimeMs: stand?.responseTimeMs ?? known.lastResponseTimeMs };
  });
  const isLater = state.lastSlotMs === null || state.lastSlotMs < lastSlotMs;
  const health = { ...state.health, regions };
  context.state = { ...state, health, lastSlotMs: isLater ? lastSlotMs : state.lastSlotMs };
}

interface Unconfirmed extends Known {
  readonly config: MonitorConfig;
  readonly slotMs: number;
  readonly ends: readonly RegionEnd[];
}

/**
 * Notes the earlier slots that may not be stored. While the database is unavailable, it is not known which of them are.
 */
function noteUnconfirmed(
  context: WorkflowContext<MonitorState>,
  { time, config, slotMs, ends }: Unconfirmed,
): void {
  const beforeMs = readBeforeMs(time);
  const seen = ends.map(({ lastStoredMs }) => lastStoredMs ?? beforeMs);
  const fromMs = slotMs - (UNSURE_SLOTS_MAX + 1) * config.intervalMs;
  const lastSlotMs = Math.max(Math.min(...seen), beforeMs, fromMs);
  const unconfirmed = findPassedGap({ ...config, lastSlotMs, nowMs: slotMs - 1 }, 'missed');
  context.state = { ...context.state, unconfirmed };
}

interface LastSlot {
  readonly config: MonitorConfig;
  readonly stands: readonly RegionStand[];
  readonly slotMs: number;
  readonly stored: readonly StoredOutcome[];
}

async function readOutcomes(
  context: WorkflowContext<MonitorState>,
  { config, stands, slotMs, stored }: LastSlot,
): Promise<LastWatchedSlot['outcomes']> {
  const read = stands.filter(
    ({ region, lastSlotMs }) =>
      lastSlotMs >= slotMs && !stored.some((one) => one.region === region && one.slotMs === slotMs),
  );
  const regions = read.map(({ region }) => region);
  const asked = (await readStored({ config }, regions, [slotMs, slotMs])) ?? [];
  const known = [...stored, ...asked].filter((one) => one.slotMs === slotMs);
  return Promise.all(
    config.regions.map(async (region) => {
      const found = stands.find((stand) => stand.region === region)?.found;
      const measured = found?.slotMs === slotMs ? found.outcome : null;
      const outcome = measured ?? known.find((one) => one.region === region)?.outcome;
      if (outcome !== undefined) return { region, outcome };
      const { paused } = context.state.config;
      const mustRest = context.removed || paused || isResting(context.state);
      const missing = mustRest
        ? createUnknownOutcome('cancelled', slotMs, Date.now())
        : await checkRegion(config, region, slotMs);
      return { region, outcome: missing };
    }),
  );
}

/** Reads the stored outcomes. Returns null while the database is unavailable, and an empty list for no regions. */
async function readStored(
  { config: { accountId, id: monitorId } }: Pick<WatchTime, 'config'>,
  regions: readonly string[],
  [fromSlotMs, toSlotMs]: readonly [number, number],
): Promise<readonly StoredOutcome[] | null> {
  if (regions.length === 0) return [];
  const question: StoredOutcomesQuestion = { accountId, monitorId, regions, fromSlotMs, toSlotMs };
  const tried = await CancellationScope.nonCancellable(() =>
    tryOnce(() => local.readStoredOutcomes(question)),
  );
  return tried.kind === 'stored' ? tried.result : null;
}

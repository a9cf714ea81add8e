/**
 * What quiet checks leave behind: how far they came, and the one slot that is to be recorded like any
 * other. It decides nothing about health.
 */
import type { StepOutcome } from '../../contracts/outcome';
import type { StoredOutcomesQuestion, StoredOutcome } from '../../contracts/watches';
import type { MonitorCheckRecord } from '../../contracts/records';
import type { MonitorState } from '../../contracts/workflows';
import { passedGap, slotAtOrBefore } from '../../domain/health/schedule';
import { hasTriesLeft } from '../../domain/health/tries';
import type { WorkflowContext } from '../loop/handlers';
import { isResting } from '../loop/keep-time';
import { unknownOutcome } from '../loop/step-loss';
import { local, tryOnce } from '../loop/store-record';
import { checkRegion } from './check-regions';
import { missedAfterMs, type QuietTime, type RegionEnding } from './watch';

/** A slot at which the quiet ended, with the outcomes of all regions. */
export interface QuietLastSlot {
  readonly slotMs: number;
  readonly outcomes: MonitorCheckRecord['outcomes'];
}

/** Where one region stands after the quiet. */
interface RegionMark {
  readonly region: string;
  /** The last slot of the region that is stored. */
  readonly lastSlotMs: number;
  /** True: nobody said so, and the database could not be asked. */
  readonly isAssumed: boolean;
  readonly responseTimeMs: number | null;
  /** Measured for the slot after it, and not stored. */
  readonly found: StepOutcome | null;
}

/**
 * Moves the state to the last slot that all regions have stored. The answer is the slot after it, if
 * any region has measured that one already; whatever comes later is checked anew, and stored once.
 */
export async function endQuiet(
  context: WorkflowContext<MonitorState>,
  time: QuietTime,
  endings: readonly RegionEnding[],
): Promise<QuietLastSlot | null> {
  const { config } = time;
  const nowMs = Date.now();
  const unsure = endings.filter(({ isSure }) => !isSure).map(({ region }) => region);
  const stored = await readStored(time, unsure, [time.firstSlotMs, nowMs]);
  const known = { time, stored, nowMs };
  const marks = endings.map((ending) => markOf(ending, known));
  const slotMs = Math.min(...marks.map(({ lastSlotMs }) => lastSlotMs)) + config.intervalMs;
  noteMarks(context, marks, slotMs - config.intervalMs);
  if (marks.some(({ isAssumed }) => isAssumed))
    noteUnconfirmed(context, { ...known, slotMs, endings });
  const isFound = marks.some((mark) => mark.found !== null && mark.lastSlotMs < slotMs);
  const isBegun = marks.some((mark) => mark.lastSlotMs >= slotMs);
  // A slot that is over and that nobody saw fail is named as missed by the loop.
  const isOver = slotMs + config.intervalMs <= nowMs;
  if (!isFound && (!isBegun || isOver)) return null;
  const outcomes = await outcomesOf(context, { time, marks, slotMs, stored: stored ?? [] });
  return { slotMs, outcomes };
}

interface Known {
  readonly time: QuietTime;
  /** null: the database is away. */
  readonly stored: readonly StoredOutcome[] | null;
  readonly nowMs: number;
}

function markOf(
  { region, mark, found, isSure }: RegionEnding,
  { time: { config, firstSlotMs }, stored, nowMs }: Known,
): RegionMark {
  const beforeMs = firstSlotMs - config.intervalMs;
  const newest = stored?.find((one) => one.region === region);
  // All slots but the newest one are stored, or their activity would have ended, if its probe is there.
  const assumedMs = slotAtOrBefore(config, nowMs) - config.intervalMs;
  const isAssumed = !isSure && stored === null && found === null;
  const known = [beforeMs, mark?.lastSlotMs ?? beforeMs, newest?.slotMs ?? beforeMs];
  const lastSlotMs = Math.max(...known, ...(isAssumed ? [assumedMs] : []));
  const isNew = found !== null && found.slotMs > lastSlotMs;
  return {
    region,
    lastSlotMs,
    isAssumed,
    responseTimeMs: newest?.outcome.responseTimeMs ?? mark?.responseTimeMs ?? null,
    found: isNew ? found.outcome : null,
  };
}

/** What quiet checks stored is what the state would say of them. */
function noteMarks(
  context: WorkflowContext<MonitorState>,
  marks: readonly RegionMark[],
  lastSlotMs: number,
): void {
  const { state } = context;
  const regions = state.health.regions.map((known) => {
    const mark = marks.find(({ region }) => region === known.region);
    return { ...known, lastResponseTimeMs: mark?.responseTimeMs ?? known.lastResponseTimeMs };
  });
  const isLater = state.lastSlotMs === null || state.lastSlotMs < lastSlotMs;
  const health = { ...state.health, regions };
  context.state = { ...state, health, lastSlotMs: isLater ? lastSlotMs : state.lastSlotMs };
}

interface Unconfirmed extends Known {
  readonly slotMs: number;
  readonly endings: readonly RegionEnding[];
}

/** Slots before this one that a probe which is lost may not have stored, and nobody has missed yet. */
function noteUnconfirmed(
  context: WorkflowContext<MonitorState>,
  { time: { config, firstSlotMs }, nowMs, slotMs, endings }: Unconfirmed,
): void {
  const { intervalMs } = config;
  const sinceMs = nowMs - missedAfterMs(config) - intervalMs;
  const waits = endings.flatMap(({ waitedFromMs }) => waitedFromMs ?? []);
  const surelySeenMs = Math.min(
    slotAtOrBefore(config, sinceMs),
    ...waits.map((ms) => ms - intervalMs),
  );
  const lastSlotMs = Math.max(surelySeenMs, firstSlotMs - intervalMs);
  const unconfirmed = passedGap({ ...config, lastSlotMs, nowMs: slotMs - 1 }, 'missed');
  context.state = { ...context.state, unconfirmed };
}

interface LastSlot {
  readonly time: QuietTime;
  readonly marks: readonly RegionMark[];
  readonly slotMs: number;
  readonly stored: readonly StoredOutcome[];
}

async function outcomesOf(
  context: WorkflowContext<MonitorState>,
  { time, marks, slotMs, stored }: LastSlot,
): Promise<QuietLastSlot['outcomes']> {
  const { config } = time;
  const read = marks.filter(
    ({ region, lastSlotMs }) =>
      lastSlotMs >= slotMs && !stored.some((one) => one.region === region && one.slotMs === slotMs),
  );
  const regions = read.map(({ region }) => region);
  const found = (await readStored(time, regions, [slotMs, slotMs])) ?? [];
  const known = [...stored, ...found].filter((one) => one.slotMs === slotMs);
  return Promise.all(
    config.regions.map(async (region) => {
      const measured = marks.find((mark) => mark.region === region)?.found ?? null;
      const outcome = measured ?? known.find((one) => one.region === region)?.outcome;
      const made = outcome?.attempts ?? [];
      const isFinal = !hasTriesLeft(made, config.retries ?? 0);
      if (outcome !== undefined && isFinal) return { region, outcome };
      const { paused } = context.state.config;
      const mustRest = context.removed || paused || isResting(context.state);
      const missing = mustRest
        ? unknownOutcome('cancelled', slotMs, Date.now())
        : await checkRegion(config, region, slotMs, made);
      return { region, outcome: missing };
    }),
  );
}

/** null while the database is away; nothing for no regions. */
async function readStored(
  { config: { accountId, id: monitorId } }: QuietTime,
  regions: readonly string[],
  [fromSlotMs, toSlotMs]: readonly [number, number],
): Promise<readonly StoredOutcome[] | null> {
  if (regions.length === 0) return [];
  const question: StoredOutcomesQuestion = { accountId, monitorId, regions, fromSlotMs, toSlotMs };
  const tried = await tryOnce(() => local.readStoredOutcomes(question));
  return tried.kind === 'stored' ? tried.result : null;
}

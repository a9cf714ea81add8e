/**
 * Housekeeping of the whole service: once a minute, and when asked, every part is done by an
 * activity of its own. It knows what there is to do, not how; a part that fails stops no other.
 */
import {
  condition,
  continueAsNew,
  defineSignal,
  isCancellation,
  log,
  proxyActivities,
  setCurrentDetails,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import {
  HOUSEKEEPING_PARTS,
  type HousekeepingActivities,
  type HousekeepingPart,
  type HousekeepingState,
  PASS_NOW_SIGNAL,
} from '../contracts/housekeeping';
import { isTimeToContinue } from './continue';
import { migrate } from './migrate';
import { formatInstant, formatTime } from './show';

const EVERY_MS = 60_000;
const EVENTS_WITH_A_PART_RUNNING_MAX = 1_500;

/** What one part came to, for people to read. */
interface Report {
  readonly part: HousekeepingPart;
  readonly isDone: boolean;
  readonly words: string;
  readonly beganAtMs: number;
}

/** What the workflow holds while it runs. */
interface House {
  state: HousekeepingState;
  /** Somebody asked for a pass. */
  isAsked: boolean;
  readonly running: Set<HousekeepingPart>;
  /** Asked for while they ran: they are done again at once. */
  readonly again: Set<HousekeepingPart>;
  readonly reports: Map<HousekeepingPart, Report>;
  /** A fault of our own, or cancellation; ends the workflow or fails its task. */
  fault: unknown;
}

/** Runs for ever; continues as new between two passes. A part that hangs holds up no other. */
export async function housekeepingWorkflow(given: HousekeepingState): Promise<void> {
  const house: House = {
    state: migrate(given),
    isAsked: false,
    running: new Set(),
    again: new Set(),
    reports: new Map(),
    fault: null,
  };
  setHandler(defineSignal(PASS_NOW_SIGNAL), () => {
    house.isAsked = true;
    for (const part of house.running) house.again.add(part);
  });
  for (;;) {
    house.isAsked = false;
    const beganAtMs = Date.now();
    for (const part of HOUSEKEEPING_PARTS) if (!house.running.has(part)) begin(house, part);
    const nextAtMs = beganAtMs + EVERY_MS;
    await condition(() => house.isAsked || house.fault !== null, EVERY_MS, {
      summary: `next pass ${formatTime(nextAtMs)}`,
    });
    if (house.fault !== null) throw house.fault;
    // The next life begins with a pass, so that a request for one is not lost; parts may be repeated.
    if (isTimeToContinue('housekeeping') && (house.running.size === 0 || isVeryLong()))
      await continueAsNew<typeof housekeepingWorkflow>(house.state);
  }
}

/** A part that always runs must not keep the history for ever. */
function isVeryLong(): boolean {
  return workflowInfo().historyLength >= EVENTS_WITH_A_PART_RUNNING_MAX;
}

function begin(house: House, part: HousekeepingPart): void {
  house.running.add(part);
  void keepAtIt(house, part)
    .catch((error: unknown) => {
      house.fault = error;
    })
    .finally(() => house.running.delete(part));
}

async function keepAtIt(house: House, part: HousekeepingPart): Promise<void> {
  do {
    house.again.delete(part);
    const beganAtMs = Date.now();
    const report = await doPart(part, house.state.doneSinceMs[part] ?? null);
    house.reports.set(part, { ...report, beganAtMs });
    if (report.isDone) {
      const doneSinceMs = { ...house.state.doneSinceMs, [part]: beganAtMs };
      house.state = { ...house.state, doneSinceMs };
    }
    show([...house.reports.values()]);
  } while (house.again.has(part));
}

async function doPart(
  part: HousekeepingPart,
  sinceMs: number | null,
): Promise<Omit<Report, 'beganAtMs'>> {
  const { keepHouse } = proxyActivities<HousekeepingActivities>({
    // Long enough to start ten thousand workflows at the pace of the reconcile pass.
    startToCloseTimeout: part === 'reconcile' ? '10 minutes' : '2 minutes',
    heartbeatTimeout: '30 seconds',
    retry: { maximumAttempts: 3, initialInterval: '1 second', backoffCoefficient: 3 },
    summary: part,
  });
  try {
    const words = await keepHouse({ part, sinceMs });
    return { part, isDone: true, words: words ?? 'nothing to do' };
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.warn('a part of the housekeeping failed and is tried again with the next pass', { part });
    return { part, isDone: false, words: 'failed; tried again with the next pass' };
  }
}

function show(reports: readonly Report[]): void {
  setCurrentDetails(
    [
      '| part | last begun | what it did |',
      '|---|---|---|',
      ...reports.map(
        ({ part, beganAtMs, words }) => `| ${part} | ${formatInstant(beganAtMs)} | ${words} |`,
      ),
    ].join('\n'),
  );
}

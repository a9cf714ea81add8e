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

/** What one part came to, for people to read. */
interface Report {
  readonly part: HousekeepingPart;
  readonly isDone: boolean;
  readonly words: string;
}

/** Runs for ever; continues as new between two passes. */
export async function housekeepingWorkflow(given: HousekeepingState): Promise<void> {
  let state = migrate(given);
  let isAsked = false;
  setHandler(defineSignal(PASS_NOW_SIGNAL), () => {
    isAsked = true;
  });
  for (;;) {
    isAsked = false;
    const beganAtMs = Date.now();
    const sinceOf = state.doneSinceMs;
    const reports = await Promise.all(
      HOUSEKEEPING_PARTS.map((part) => doPart(part, sinceOf[part] ?? null)),
    );
    const done = reports.filter(({ isDone }) => isDone).map(({ part }) => [part, beganAtMs]);
    state = { ...state, doneSinceMs: { ...sinceOf, ...Object.fromEntries(done) } };
    show(reports, beganAtMs);
    const nextAtMs = beganAtMs + EVERY_MS;
    await condition(() => isAsked, Math.max(1, nextAtMs - Date.now()), {
      summary: `next pass ${formatTime(nextAtMs)}`,
    });
    // The next life begins with a pass, so that a request for one is not lost.
    if (isTimeToContinue('housekeeping')) await continueAsNew<typeof housekeepingWorkflow>(state);
  }
}

async function doPart(part: HousekeepingPart, sinceMs: number | null): Promise<Report> {
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

function show(reports: readonly Report[], beganAtMs: number): void {
  setCurrentDetails(
    [
      `last pass ${formatInstant(beganAtMs)}`,
      '',
      '| part | what it did |',
      '|---|---|',
      ...reports.map(({ part, words }) => `| ${part} | ${words} |`),
    ].join('\n'),
  );
}

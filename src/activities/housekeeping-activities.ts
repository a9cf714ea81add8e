/**
 * The parts of the housekeeping as activities: each is called with its budget, beats while it works
 * and says in words what it did. What is to be done is the business of the use cases.
 */
import { Context } from '@temporalio/activity';
import type {
  HousekeepingActivities,
  HousekeepingPart,
  HousekeepingTask,
} from '../contracts/housekeeping';
import { closeLostRuns, type LostRunNeeds } from '../services/close-lost-runs';
import { type Reconciled, type ReconcileNeeds, reconcile } from '../services/reconcile';
import { type LostAlertNeeds, resumeLostAlerts } from '../services/resume-lost-alerts';
import { tellDueWindows } from '../services/tell-maintenance';
import { type OperationNeeds, watchOperation } from '../services/watch-operation';

const BEAT_EVERY_MS = 5_000;
const SWEEP_BUDGET_MS = 5_000;
/** It walks over everything all the time; days matter to it, not minutes. */
const RETENTION_BUDGET_MS = 1_000;

/** Work inside the database; each call ends shortly after its budget. */
export interface DatabaseChores {
  readonly sweepRemovals: (budgetMs: number) => Promise<number>;
  readonly sweepExpired: (budgetMs: number) => Promise<number>;
  readonly closeHours: (budgetMs: number) => Promise<number>;
  readonly deleteExpired: (request: {
    readonly retentionDays: number;
    readonly budgetMs: number;
  }) => Promise<number>;
  readonly resealSecrets: (
    budgetMs: number,
  ) => Promise<{ readonly resealed: number; readonly unreadable: number }>;
}

export interface HousekeepingDependencies
  extends ReconcileNeeds,
    LostRunNeeds,
    LostAlertNeeds,
    OperationNeeds {
  readonly chores: DatabaseChores;
  readonly retentionDays: number;
}

type Part = (task: HousekeepingTask, signal: AbortSignal) => Promise<readonly Count[]>;
type Count = readonly [count: number, what: string];

/** Throws when a part can't be finished; it is safe to call again. */
export function createHousekeepingActivities(
  needs: HousekeepingDependencies,
): HousekeepingActivities {
  const parts = partsOf(needs);
  return {
    async keepHouse(task) {
      const { cancellationSignal, cancelled, heartbeat } = Context.current();
      const beating = setInterval(() => heartbeat(), BEAT_EVERY_MS);
      try {
        // A part that hangs is left to itself once its time is over, and keeps no place.
        const work = parts[task.part](task, cancellationSignal);
        const words = inWords(await Promise.race([work, cancelled]));
        if (words !== null) needs.logger.info({ part: task.part }, `housekeeping: ${words}`);
        return words;
      } finally {
        clearInterval(beating);
      }
    },
  };
}

function partsOf(needs: HousekeepingDependencies): Record<HousekeepingPart, Part> {
  const { chores, retentionDays } = needs;
  return {
    reconcile: async ({ sinceMs }, signal) =>
      reconciledCounts(await reconcile(needs, { sinceMs, signal })),
    maintenance: async (_task, signal) => [
      [await tellDueWindows(needs, signal), 'maintenance windows told'],
    ],
    operation: async ({ sinceMs }) => [
      [await watchOperation(needs, sinceMs), 'told to the operator'],
    ],
    lostRuns: async (_task, signal) => [[await closeLostRuns(needs, signal), 'lost runs closed']],
    lostAlerts: async (_task, signal) => {
      const { resumed, givenUp } = await resumeLostAlerts(needs, signal);
      return [
        [resumed, 'lost alerts begun again'],
        [givenUp, 'lost deliveries given up'],
      ];
    },
    removals: async () => [[await chores.sweepRemovals(SWEEP_BUDGET_MS), 'deletions not done yet']],
    hours: async () => [[await chores.closeHours(SWEEP_BUDGET_MS), 'brought up to date']],
    retention: async () => {
      const request = { retentionDays, budgetMs: RETENTION_BUDGET_MS };
      return [[await chores.deleteExpired(request), 'old documents deleted']];
    },
    expired: async () => [[await chores.sweepExpired(SWEEP_BUDGET_MS), 'expired rows deleted']],
    secrets: async () => {
      const { resealed, unreadable } = await chores.resealSecrets(SWEEP_BUDGET_MS);
      return [
        [resealed, 'sealed with the new key'],
        [unreadable, 'that no key opens'],
      ];
    },
  };
}

function reconciledCounts({ started, told, stopped, deleted, failed }: Reconciled): Count[] {
  return [
    [started, 'workflows started'],
    [told, 'told of changes'],
    [stopped, 'without a definition stopped'],
    [deleted, 'deletions finished'],
    [failed, 'repairs failed'],
  ];
}

function inWords(counts: readonly Count[]): string | null {
  const told = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return told.length === 0 ? null : told.join(', ');
}

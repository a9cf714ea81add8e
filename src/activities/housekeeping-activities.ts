/** The housekeeping tasks, one activity each. Each activity has a time limit, and returns how much it did. */
import { Context } from '@temporalio/activity';
import {
  describeCounts,
  type HousekeepingActivities,
  type HousekeepingCounts,
  type HousekeepingPass,
} from '../contracts/housekeeping';
import { sendEvents } from '../services/events/send-events';
import { notifyOverdueHeartbeats } from '../services/heartbeats/notify-heartbeats';
import {
  type ProviderNeeds,
  updateProviders,
} from '../services/identity-providers/update-providers';
import { notifyDueHours } from '../services/maintenance/notify-hours';
import { notifyDueWindows } from '../services/maintenance/notify-workflows';
import { type RemovalNeeds, removeAccounts } from '../services/operations/accounts/remove-accounts';
import { notifySuspensions } from '../services/operations/accounts/suspension';
import { closeLostRuns, type LostRunNeeds } from '../services/operations/close-lost-runs';
import { type Reconciled, type ReconcileNeeds, reconcile } from '../services/operations/reconcile';
import { type LostAlertNeeds, resumeLostAlerts } from '../services/operations/resume-lost-alerts';
import { resumeLostEscalations } from '../services/operations/resume-lost-escalations';
import { type OperationNeeds, watchOperation } from '../services/operations/watch-operation';
import { type DomainNeeds, verifyDueDomains } from '../services/status-pages/page-domains';
import type { PostNeeds } from '../services/status-pages/post-writes';
import {
  isFirstOfHour,
  type WrittenPosts,
  writeStatusPosts,
} from '../services/status-pages/write-status-posts';
import { announcePosts, type NoticeNeeds } from '../services/subscribers/announce-posts';
import { removeUnconfirmed, sweepLetters } from '../services/subscribers/tidy-subscribers';
import { returnOverdueWatches } from '../services/watches/return-overdue-watches';
import { continueRollouts } from './rollouts/continue-rollouts';

const BEAT_EVERY_MS = 5_000;
const SWEEP_BUDGET_MS = 5_000;
/** Time limit for one retention pass. The next pass deletes the rest. */
const RETENTION_BUDGET_MS = 1_000;

/** Tasks inside the database. Each call ends shortly after its time budget. */
export interface DatabaseHousekeeping {
  readonly sweepRemovals: (budgetMs: number) => Promise<number>;
  readonly sweepExpired: (budgetMs: number) => Promise<number>;
  readonly closeHours: (budgetMs: number) => Promise<number>;
  readonly deleteExpired: (request: {
    readonly retentionDays: number;
    readonly budgetMs: number;
  }) => Promise<number>;
  readonly rotateSecrets: (
    budgetMs: number,
  ) => Promise<{ readonly rotated: number; readonly unreadable: number }>;
}

export interface HousekeepingDependencies
  extends ReconcileNeeds,
    LostRunNeeds,
    LostAlertNeeds,
    OperationNeeds,
    RemovalNeeds,
    PostNeeds,
    NoticeNeeds,
    DomainNeeds,
    ProviderNeeds {
  readonly temporal: ReconcileNeeds['temporal'] & RemovalNeeds['temporal'];
  readonly stores: PostNeeds['stores'];
  readonly chores: DatabaseHousekeeping;
  readonly retentionDays: number;
}

type Work = (pass: HousekeepingPass, signal: AbortSignal) => Promise<HousekeepingCounts>;

/** Each activity throws if it cannot finish its task. All activities may be repeated. */
export function createHousekeepingActivities(
  needs: HousekeepingDependencies,
): HousekeepingActivities {
  const { chores, retentionDays } = needs;
  const activity = (work: Work) => asActivity(needs, work);
  return {
    reconcileWorkflows: activity(async ({ beganAtMs, sinceMs }, signal) => ({
      ...reconciledCounts(await reconcile(needs, { beganAtMs, sinceMs, signal })),
      'pings passed to heartbeats': await notifyOverdueHeartbeats(needs),
    })),
    continueRollouts: activity((pass, signal) => continueRollouts(needs, pass, signal)),
    notifyMaintenance: activity(async (_pass, signal) => ({
      'maintenance windows notified': await notifyDueWindows(needs, signal),
      'hours notified': await notifyDueHours(needs, signal),
      'suspensions of accounts notified': await notifySuspensions(needs, signal),
    })),
    watchOperation: activity(async (pass) => ({
      'notices to the operator': await watchOperation(needs, pass),
    })),
    returnOverdueWatches: activity(async (_pass, signal) => ({
      'overdue watches returned': await returnOverdueWatches(needs, signal),
    })),
    tendProviders: activity(async (_pass, signal) => ({
      'incidents of identity providers begun or ended': await updateProviders(needs, signal),
    })),
    writeStatusPosts: activity((pass, signal) => tendStatusPages(needs, pass, signal)),
    sendEvents: activity(async (pass, signal) => ({
      'events sent to webhooks': await sendEvents(needs, pass, signal),
    })),
    closeLostRuns: activity(async (_pass, signal) => ({
      'lost runs closed': await closeLostRuns(needs, signal),
    })),
    resumeLostAlerts: activity(async (_pass, signal) => {
      const escalations = await resumeLostEscalations(needs, signal);
      const { resumed, givenUp } = await resumeLostAlerts(needs, signal);
      return {
        'lost escalations restarted': escalations,
        'lost alerts restarted': resumed,
        'lost deliveries given up': givenUp,
      };
    }),
    sweepRemovals: activity((_pass, signal) => sweepRemovals(needs, signal)),
    closeHours: activity(async () => ({
      'brought up to date': await chores.closeHours(SWEEP_BUDGET_MS),
    })),
    deleteOldResults: activity(async () => {
      const request = { retentionDays, budgetMs: RETENTION_BUDGET_MS };
      return { 'old documents deleted': await chores.deleteExpired(request) };
    }),
    sweepExpired: activity(async () => ({
      'expired documents deleted': await chores.sweepExpired(SWEEP_BUDGET_MS),
    })),
    rotateEncryption: activity(async () => {
      const { rotated, unreadable } = await chores.rotateSecrets(SWEEP_BUDGET_MS);
      return { 'encrypted with the new key': rotated, 'that no key decrypts': unreadable };
    }),
  };
}

async function sweepRemovals(
  needs: HousekeepingDependencies,
  signal: AbortSignal,
): Promise<HousekeepingCounts> {
  return {
    'deletions not done yet': await needs.chores.sweepRemovals(SWEEP_BUDGET_MS),
    'deletions of accounts not done yet': await removeAccounts(needs, signal),
  };
}

/**
 * Writes the automatic posts of status pages, announces posts, verifies custom domains, and removes unconfirmed
 * sign-ups and old letters. If one post cannot be written, the others are written anyway.
 */
async function tendStatusPages(
  needs: HousekeepingDependencies,
  pass: HousekeepingPass,
  signal: AbortSignal,
): Promise<HousekeepingCounts> {
  const [[written, announced], verified] = await Promise.all([
    inTurn(
      () => writeStatusPosts(needs, pass, signal),
      () => announcePosts(needs, signal),
    ),
    verifyDueDomains(needs, signal),
  ]);
  const removed = await removeUnconfirmed(needs);
  if (isFirstOfHour(pass)) await sweepLetters(needs);
  return {
    ...postCounts(written),
    'notices of posts': announced,
    'domains of status pages verified': verified,
    'sign-ups not confirmed': removed,
  };
}

/** Runs both tasks, the second even if the first fails. Then throws the first error, if any. */
async function inTurn<First, Second>(
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<readonly [First, Second]> {
  const [one] = await Promise.allSettled([first()]);
  const two = await second();
  if (one.status === 'rejected') throw one.reason;
  return [one.value, two];
}

/**
 * Returns an activity that does the work and sends heartbeats meanwhile. The activity returns all counts that are not
 * zero, and logs them.
 */
function asActivity(
  { logger }: HousekeepingDependencies,
  work: Work,
): (pass: HousekeepingPass) => Promise<HousekeepingCounts> {
  return async (pass) => {
    const { cancellationSignal, cancelled, heartbeat, info } = Context.current();
    const beating = setInterval(() => heartbeat(), BEAT_EVERY_MS);
    try {
      // The worker stops waiting for a task that exceeds its time limit.
      const found = await Promise.race([work(pass, cancellationSignal), cancelled]);
      const counts = Object.fromEntries(Object.entries(found).filter(([, count]) => count > 0));
      if (Object.keys(counts).length > 0)
        logger.info({ task: info.activityType }, `housekeeping: ${describeCounts(counts)}`);
      return counts;
    } finally {
      clearInterval(beating);
    }
  };
}

function reconciledCounts({
  started,
  notified,
  stopped,
  deleted,
  failed,
}: Reconciled): HousekeepingCounts {
  return {
    'workflows started': started,
    'notified of changes': notified,
    'without a definition stopped': stopped,
    'deletions finished': deleted,
    'repairs failed': failed,
  };
}

function postCounts({ drafted, announced, followed, published }: WrittenPosts): HousekeepingCounts {
  return {
    'posts drafted': drafted,
    'posts about maintenance': announced,
    'posts brought up to date': followed,
    'posts published when due': published,
  };
}

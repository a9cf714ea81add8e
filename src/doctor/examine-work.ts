/** Examines the workers of every queue, the probes of every region, and overdue checks. */
import { ALERT_QUEUE } from '../contracts/alerts';
import { LETTER_QUEUE } from '../contracts/letters/letters';
import { ORCHESTRATOR_QUEUE } from '../contracts/workflows';
import type { Stores } from '../models/stores';
import type { Clock } from '../platform/clock';
import { type MetricsSnapshot, readMetrics } from '../services/operations/read-metrics';
import type { TemporalView } from '../temporal/describe-temporal';
import type { OlderBuild } from '../temporal/upgrade/builds';
import { examined, type Finding, failed, formatReason, ok, warning } from './finding';

const SLOT_LAG_FAILED_MS = 120_000;
const BACKLOG_WARNING_MS = 30_000;
const NAMED_MAX = 5;
const STUCK_ADVICE =
  'Start the previous release, or one with a fix: the workflows then continue. Or restart a workflow from the database: temporal workflow terminate --workflow-id ID. Details: docs/faults.md#stuck-workflows';
const OLDER_BUILD_ADVICE =
  'Keep an orchestrator of this build running until these workflows have ended. Or stop it: the current build then takes them over. Details: docs/operations.md#upgrade';

const WATCHDOG_ADVICE = {
  failing: 'Fix the problem that the reason names. The pings then continue.',
  unreported: 'Check KEEPWATCH_WATCHDOG_URL, and whether this host can reach that URL.',
} as const;

export interface WorkNeeds {
  readonly stores: Stores;
  readonly temporal: TemporalView;
  /** A clock that follows the database's clock. Due times and reports of probes use the database's clock. */
  readonly clock: Clock;
  readonly configuredRegions: readonly string[];
  readonly watchdog: Parameters<typeof readMetrics>[0]['watchdog'];
}

export async function examineWork(needs: WorkNeeds): Promise<readonly Finding[]> {
  const { temporal } = needs;
  const { gateway } = temporal;
  const queues = [ORCHESTRATOR_QUEUE, ALERT_QUEUE, LETTER_QUEUE];
  const workers = queues.map((queue) => examineQueue(temporal, queue));
  const work = examined('work', async () => judgeWork(await readMetrics({ ...needs, gateway })));
  const builds = examined('builds', async () => [judgeBuilds(await temporal.listOlderBuilds())]);
  return [...(await Promise.all(workers)), ...(await work), ...(await builds)];
}

async function examineQueue(temporal: TemporalView, queue: string): Promise<Finding> {
  const name = `queue ${queue}`;
  const advice = 'Start an orchestrator. It then does the waiting work.';
  try {
    const count = await temporal.countWorkers(queue);
    return count > 0 ? ok(name, `workers: ${count}`) : failed(name, 'no worker', advice);
  } catch (error) {
    return failed(name, formatReason(error), 'Check Temporal first.');
  }
}

/** Returns a finding for each part of the snapshot. Backlogs and watches appear only if there is a problem. */
export function judgeWork(
  snapshot: Omit<MetricsSnapshot, 'monitors' | 'scenarios'>,
): readonly Finding[] {
  const { regions, backlogs, watches, stuck, slotLagMs, deliveries, refusedRecords, watchdog } =
    snapshot;
  return [
    ...regions.map(judgeRegion),
    ...backlogs.filter(({ oldestMs }) => oldestMs > BACKLOG_WARNING_MS).map(judgeBacklog),
    ...watches.filter(({ overdue }) => overdue > 0).map(judgeWatches),
    judgeLag(slotLagMs),
    judgeStuck(stuck),
    judgeDeliveries(deliveries),
    judgeRefused(refusedRecords),
    judgeWatchdog(watchdog),
  ];
}

function judgeRegion(region: MetricsSnapshot['regions'][number]): Finding {
  const { id, workers, lastSeenAt, networkSuspectSince } = region;
  const name = `region ${id}`;
  if (workers === 0) {
    const says = lastSeenAt === null ? 'never had a probe' : `no probe since ${lastSeenAt}`;
    const advice = `Start a probe with a key of \`keepwatch regions add-probe ${id}\`, or take it out of KEEPWATCH_REGIONS.`;
    return failed(name, says, advice);
  }
  if (networkSuspectSince === null) return ok(name, `probes: ${workers}`);
  const says = `the network of its probes is suspect since ${networkSuspectSince}`;
  return warning(name, says, 'Check whether the hosts of its probes reach the internet.');
}

function judgeBacklog({ queue, tasks, oldestMs }: MetricsSnapshot['backlogs'][number]): Finding {
  const says = `${tasks} tasks wait, the oldest for ${Math.round(oldestMs / 1_000)} s`;
  return warning(`backlog ${queue}`, says, 'Start more workers of this role or region.');
}

function judgeWatches({ region, held, overdue }: MetricsSnapshot['watches'][number]): Finding {
  const says = `${overdue} of ${held} are overdue`;
  const advice =
    'They end within minutes, and their workflows check. If not, read the log of the probes.';
  return warning(`watches ${region}`, says, advice);
}

function judgeLag(slotLagMs: number): Finding {
  const says = `the most overdue check is ${Math.round(slotLagMs / 1_000)} s late`;
  if (slotLagMs <= SLOT_LAG_FAILED_MS) return ok('schedule', says);
  const advice = 'Check the queues and regions above, then the log of the orchestrator.';
  return failed('schedule', says, advice);
}

/** Reports stuck workflows, with a command that the operator can copy. */
function judgeStuck(stuck: MetricsSnapshot['stuck']): Finding {
  if (stuck.length === 0) return ok('workflows', 'none is stuck');
  const causes = [...new Set(stuck.map(({ cause }) => cause))].join(', ');
  const named = stuck.slice(0, NAMED_MAX).map(({ workflowId }) => workflowId);
  const more = stuck.length > named.length ? ` and ${stuck.length - named.length} more` : '';
  const says = `${stuck.length} stuck (${causes}): ${named.join(', ')}${more}`;
  return failed('workflows', says, STUCK_ADVICE);
}

/** Reports older builds. An orchestrator of an older build may be stopped once no workflow uses the build. */
export function judgeBuilds(older: readonly OlderBuild[]): Finding {
  if (older.length === 0) return ok('builds', 'no workflow needs an older build');
  const says = older.map(({ build, workflows }) => {
    const types = [...workflows].map(([type, count]) => `${count} ${type}`).join(', ');
    return `${build} is needed by ${types}`;
  });
  return warning('builds', says.join('; '), OLDER_BUILD_ADVICE);
}

function judgeDeliveries(deliveries: MetricsSnapshot['deliveries']): Finding {
  const count = deliveries.find(({ status }) => status === 'failed')?.count ?? 0;
  if (count === 0) return ok('alerts', 'no failed deliveries');
  const advice = 'GET /v1/alerts?status=failed shows which recipient refused, and why.';
  return warning('alerts', `${count} could not be delivered`, advice);
}

function judgeWatchdog(watchdog: MetricsSnapshot['watchdog']): Finding {
  if (watchdog === null)
    return ok('watchdog', 'not set: no one outside notices an outage of this installation');
  const { state, url, reason, lastPingAt } = watchdog;
  if (state === 'healthy') return ok('watchdog', `${url} got its last ping at ${lastPingAt}`);
  if (state === 'waiting') return ok('watchdog', `nothing was reported to ${url} yet`);
  return failed('watchdog', reason ?? 'it does not report', WATCHDOG_ADVICE[state]);
}

function judgeRefused(count: number): Finding {
  if (count === 0) return ok('records', 'the database has refused none');
  const says = `${count} records of checks or runs were refused by the database for a day`;
  return warning(
    'records',
    says,
    'The collection refusedRecords contains them, each with the reason.',
  );
}

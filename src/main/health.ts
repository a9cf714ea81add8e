/**
 * `node dist/main/health.js [all|api|orchestrator|probe]` ends with exit code 0 if the role's process on this host is
 * working. Without an argument, `KEEPWATCH_ROLE` is the role. Health checks of containers run this program.
 */
import { hostname } from 'node:os';
import { readRole, readSettings, requireSetting, type SettingsFor } from '../config/settings';
import { readTemporalAddress } from '../config/temporal-settings';
import { ORCHESTRATOR_QUEUE, probeQueue } from '../contracts/workflows';
import { openServerRecord } from '../embedded/server-record';
import { connectForCalls } from '../temporal/connect';
import { listRecentPollers } from '../temporal/queues/pollers';

const DEADLINE_MS = 5_000;
const WORKFLOW_QUEUE = 1;
const ACTIVITY_QUEUE = 2;
const WORKFLOWS = { name: ORCHESTRATOR_QUEUE, type: WORKFLOW_QUEUE };

function createCheckQueue(region: string): Queue {
  return { name: probeQueue(region), type: ACTIVITY_QUEUE };
}

const CHECKS = {
  all: findAllInOneProblem,
  api: async () => findApiProblem(readSettings('api')),
  orchestrator: async () => findPollerProblem(readSettings('orchestrator'), WORKFLOWS),
  probe: async () => {
    const settings = readSettings('probe');
    const keys = requireSetting(settings.KEEPWATCH_PROBE_KEY, 'KEEPWATCH_PROBE_KEY');
    return firstProblem(
      keys.map(({ region }) => findPollerProblem(settings, createCheckQueue(region))),
    );
  },
};

async function main(given: string | undefined): Promise<number> {
  const role = given ?? readRole();
  const check = Object.entries(CHECKS).find(([name]) => name === role)?.[1];
  if (check === undefined) {
    console.error(`usage: node dist/main/health.js ${Object.keys(CHECKS).join('|')}`);
    return 2;
  }
  const problem = await check().catch(String);
  console.log(problem ?? 'healthy');
  return problem === null ? 0 : 1;
}

async function firstProblem(problems: readonly Promise<string | null>[]): Promise<string | null> {
  return (await Promise.all(problems)).find((problem) => problem !== null) ?? null;
}

/** Returns the problem of all-in-one, or null. The ports of its servers are in its data folder. */
async function findAllInOneProblem(): Promise<string | null> {
  const settings = readSettings('all-in-one');
  const { api, temporal } = (await openServerRecord(settings.KEEPWATCH_DATA_DIR)).current();
  if (api === undefined) return 'not started yet';
  const TEMPORAL_ADDRESS = settings.TEMPORAL_ADDRESS ?? temporal?.address;
  const reached = { ...settings, TEMPORAL_ADDRESS };
  return firstProblem([
    findApiProblem({ PORT: api.port }),
    findPollerProblem(reached, WORKFLOWS),
    ...settings.KEEPWATCH_REGIONS.map((region) =>
      findPollerProblem(reached, createCheckQueue(region)),
    ),
  ]);
}

async function findApiProblem({ PORT }: Pick<SettingsFor<'api'>, 'PORT'>): Promise<string | null> {
  const response = await fetch(`http://127.0.0.1:${PORT}/readyz`, {
    signal: AbortSignal.timeout(DEADLINE_MS),
  });
  const body = await response.text();
  return response.ok ? null : `not ready: ${body}`;
}

interface Queue {
  readonly name: string;
  readonly type: number;
}

async function findPollerProblem(
  settings: SettingsFor<'orchestrator' | 'probe'>,
  queue: Queue,
): Promise<string | null> {
  const connection = await connectForCalls(readTemporalAddress(settings), DEADLINE_MS);
  try {
    const response = await connection.withDeadline(Date.now() + DEADLINE_MS, () =>
      connection.workflowService.describeTaskQueue({
        namespace: settings.TEMPORAL_NAMESPACE,
        taskQueue: { name: queue.name },
        taskQueueType: queue.type,
      }),
    );
    const isHere = listRecentPollers(response.pollers).some(
      ({ identity }) => identity?.endsWith(`@${hostname()}`) === true,
    );
    return isHere ? null : `no worker of this host polls ${queue.name}`;
  } finally {
    await connection.close();
  }
}

void main(process.argv[2]).then((code) => {
  process.exitCode = code;
});

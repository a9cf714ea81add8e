// Measures what a run of a scenario with four steps costs. Two runs at a time are requested, against a target on
// loopback. The second, third and fourth steps use a value from the first step.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Cost, computeCosts, costTable, progress } from './check-load';
import { processTree } from './process-facts';
import { type BenchService, readId } from './service';

const AT_ONCE = 2;
/** Waiting time after the last run, so that the work that follows this run is measured, too. */
const REST_MS = 2_000;
/** Slightly longer than the 30 seconds after which the database writes its file back. */
const COMMIT_MS = 31_000;

export interface RunCost {
  readonly runs: number;
  /** Costs per run for each process. The last entry, `all`, is the sum of all processes. */
  readonly costs: readonly Cost[];
}

function buildScenario(url: string): object {
  const later = [1, 2, 3].map((step) => ({
    name: `step ${step}`,
    url: `${url}/${step}?first={{first}}`,
    assertions: [{ type: 'jsonPath', path: '$.ok', operator: 'equals', value: true }],
  }));
  const extract = { first: '$.items[0]' };
  const steps = [{ name: 'step 0', url: `${url}/0`, extract }, ...later];
  return { name: 'four steps', interval: 86_400, steps };
}

async function run(service: BenchService, id: string, count: number): Promise<void> {
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      const { status }: { status: string } = JSON.parse(
        await service.call(`/v1/scenarios/${id}/run?wait=60`, {}),
      );
      if (status !== 'passed') throw new Error(`a run ended as ${status}`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/**
 * Runs the scenario `runs` times to warm up, and then measures the same number of runs. During the warm-up, the
 * database enlarges its new file to the working size, which must not count as a cost of runs. The figures include what
 * the idle service uses.
 */
export async function measureRuns(
  service: BenchService,
  url: string,
  runs: number,
): Promise<RunCost> {
  const id = readId(await service.call('/v1/scenarios', buildScenario(url)));
  progress(`warming up: ${runs} runs of a scenario with four steps`);
  await run(service, id, runs);
  await sleep(COMMIT_MS);
  progress(`measuring ${runs} runs`);
  const before = processTree(service.pid());
  await run(service, id, runs);
  await sleep(REST_MS);
  const used = computeCosts(before, processTree(service.pid()), runs);
  await sleep(COMMIT_MS);
  const written = computeCosts(before, processTree(service.pid()), runs);
  const costs = used.map((cost, index) => {
    const { writtenKbPerCheck } = written[index] ?? cost;
    return { ...cost, writtenKbPerCheck };
  });
  return { runs, costs };
}

export function runTable({ runs, costs }: RunCost): string {
  return [`${runs} runs of a scenario with 4 steps`, ...costTable(costs, 'run')].join('\n');
}

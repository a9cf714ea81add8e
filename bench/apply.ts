// Measures how long `POST /v1/apply` takes for a set of new monitors, for the same set with a tenth
// of it changed, and for an unchanged set; also the CPU of each process for the new set. `npm run
// bench -- apply [--monitors 500] [--enabled] [--json]`
import { parseArgs } from 'node:util';
import { costsOf, costTable, progress } from './support/check-load';
import { processTree } from './support/process-facts';
import { type BenchService, startBenchService } from './support/service';

const CHANGED_SHARE = 0.1;
const ASSERTIONS = [{ type: 'jsonPath', path: '$.ok', operator: 'equals', value: true }];

interface SetOfMonitors {
  readonly monitors: number;
  readonly isEnabled: boolean;
  /** How many monitors of the set are changed, from its beginning. */
  readonly changed: number;
}

/** Enabled monitors are checked once, and then not again on this day. */
function setOf({ monitors, isEnabled, changed }: SetOfMonitors): object {
  return {
    set: 'bench',
    monitors: Array.from({ length: monitors }, (_, index) => ({
      key: `m${index}`,
      name: index < changed ? `Changed ${index}` : `Monitor ${index}`,
      url: `http://127.0.0.1:18080/${index}`,
      interval: 86_400,
      tags: ['bench'],
      assertions: ASSERTIONS,
      enabled: isEnabled,
    })),
  };
}

async function apply({ call }: BenchService, body: object) {
  const startedAt = performance.now();
  const { summary }: { readonly summary: Readonly<Record<string, number>> } = JSON.parse(
    await call('/v1/apply', body),
  );
  return { seconds: Math.round((performance.now() - startedAt) / 10) / 100, summary };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      monitors: { type: 'string', default: '500' },
      enabled: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  const monitors = Number(values.monitors);
  const set = { monitors, isEnabled: values.enabled };
  const service = await startBenchService();
  try {
    progress(`applying ${monitors} new monitors`);
    const before = processTree(service.pid());
    const created = await apply(service, setOf({ ...set, changed: 0 }));
    const costs = costsOf(before, processTree(service.pid()), monitors);
    const changed = await apply(
      service,
      setOf({ ...set, changed: Math.floor(monitors * CHANGED_SHARE) }),
    );
    const unchanged = await apply(
      service,
      setOf({ ...set, changed: Math.floor(monitors * CHANGED_SHARE) }),
    );
    const outcome = { monitors, created, changed, unchanged };
    process.stdout.write(
      values.json
        ? `${JSON.stringify({ ...outcome, costs })}\n`
        : `${JSON.stringify(outcome, null, 2)}\n${costTable(costs, 'monitor').join('\n')}\n`,
    );
  } finally {
    await service.stop();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});

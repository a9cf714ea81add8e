/**
 * Defines every fault with its name, its duration, and how it is carried out on a stage. Faults contain no assertions.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { testSize } from '../support/test-size';
import { massPace } from './mass-pace';
import type { Place } from './network';
import { INTERVAL_MS, type Monitor, PROCESSES, REGION, type Stage } from './stage';
import { troubleTargets } from './trouble-targets';

export interface Fault {
  readonly seconds: number;
  /** Carries out the fault. Resolves when the fault is over and the processes that it killed are restarted. */
  readonly play: (stage: Stage, forMs: number, troubled: readonly Monitor[]) => Promise<void>;
  readonly needsSmallDisks?: true;
  readonly needsNamespaces?: true;
  /** Returns why the fault cannot be carried out on this stage. null if it can be. */
  readonly findObstacle?: (stage: Stage) => string | null;
  /**
   * Extra monitors whose targets really fail. Other monitors may have been down recently, so they would be flapping.
   */
  readonly troubles?: {
    /** Returns the number of extra monitors for the number of monitors on the stage. */
    readonly countOf: (monitors: number) => number;
    readonly intervalMs: number;
  };
}

const SERVERS = ['database', 'temporal', 'postgres'] as const;
const DISKS = ['database', 'temporal'] as const;
const CUTS: readonly (readonly [Place, Place])[] = [
  ['api', 'database'],
  ['probe', 'api'],
  ['probe', 'temporal'],
];
const HOUR_MS = 3_600_000;
const STOPPED_MS = 180;
const RUNNING_MS = 60;
/** Number of monitors that fail at the same time. */
const MASS = testSize('mass', { ci: 100, long: 1_000 });
/** Seconds between the checks of these monitors. 0 chooses an interval that two cores can manage. */
const MASS_INTERVAL = testSize('mass_interval', { ci: 0, long: 0 });

export const FAULTS: ReadonlyMap<string, Fault> = new Map([
  ...PROCESSES.flatMap((name) => [
    fault(`kill-${shortOf(name)}`, 5, async ({ service }, forMs) => {
      await service.kill(name);
      await sleep(forMs);
      await service.start(name);
    }),
    ...stopsOf(shortOf(name), (stage, signal) => stage.service.processes.get(name)?.kill(signal)),
    clockFault(`clock-ahead-${shortOf(name)}`, name, HOUR_MS),
    clockFault(`clock-behind-${shortOf(name)}`, name, -HOUR_MS),
  ]),
  ...SERVERS.flatMap((name) =>
    [
      fault(`kill-${name}`, 1, async ({ servers }, forMs) => {
        servers[name]?.kill();
        await sleep(forMs);
      }),
      ...stopsOf(name, ({ servers }, signal) =>
        signal === 'SIGSTOP' ? servers[name]?.freeze() : servers[name]?.thaw(),
      ),
    ].map(onlyWith(name)),
  ),
  ...DISKS.map(diskFault),
  fault('read-only-database', 30, async ({ writes }, forMs) => {
    writes.setReadOnly(true);
    await sleep(forMs);
    writes.setReadOnly(false);
  }),
  fault('kill-everything', 12, killEverything),
  fault('lose-temporal', 1, ({ servers }) => servers.loseTemporal()),
  ...CUTS.map(cutFault),
  targetFault('all-targets-fail', 'failing', { countOf: (monitors) => monitors }),
  targetFault('fifth-hangs', 'hanging', { countOf: (monitors) => Math.ceil(monitors / 5) }),
  targetFault('mass-failure', 'failing', {
    countOf: () => MASS,
    ...massPace(MASS, MASS_INTERVAL * 1_000 || undefined),
  }),
]);

function shortOf(name: string): string {
  return name.replace(`-${REGION}`, '');
}

function fault(name: string, seconds: number, play: Fault['play']): readonly [string, Fault] {
  return [name, { seconds, play }];
}

/** Returns two faults: one long stop of a process, and many short stops as on an overloaded machine. */
function stopsOf(
  name: string,
  signal: (stage: Stage, signal: 'SIGSTOP' | 'SIGCONT') => unknown,
): readonly (readonly [string, Fault])[] {
  return [
    fault(`stop-${name}`, 30, async (stage, forMs) => {
      signal(stage, 'SIGSTOP');
      await sleep(forMs);
      signal(stage, 'SIGCONT');
    }),
    fault(`slow-${name}`, 30, async (stage, forMs) => {
      const endMs = Date.now() + forMs;
      while (Date.now() < endMs) {
        signal(stage, 'SIGSTOP');
        await sleep(STOPPED_MS);
        signal(stage, 'SIGCONT');
        await sleep(RUNNING_MS);
      }
    }),
  ];
}

/** Returns a fault that shifts the clock of one process by `byMs`, and later shifts it back. */
function clockFault(
  name: string,
  process: (typeof PROCESSES)[number],
  byMs: number,
): readonly [string, Fault] {
  return fault(name, 30, async ({ clocks }, forMs) => {
    clocks[process].shift(byMs);
    await sleep(forMs);
    clocks[process].shift(0);
  });
}

function onlyWith(name: (typeof SERVERS)[number]) {
  return ([fault, played]: readonly [string, Fault]): readonly [string, Fault] => {
    const findObstacle: Fault['findObstacle'] = ({ servers }) =>
      servers[name] === null ? 'needs --on cluster' : null;
    return [fault, { ...played, findObstacle }];
  };
}

function diskFault(name: (typeof DISKS)[number]): readonly [string, Fault] {
  return [
    `full-${name}`,
    {
      seconds: 30,
      needsSmallDisks: true,
      findObstacle: ({ servers }) =>
        servers.disks === null
          ? 'needs --on all-in-one and a user who may mount a file system'
          : null,
      play: async ({ servers }, forMs) => {
        servers.disks?.[name].fill();
        await sleep(forMs);
        servers.disks?.[name].clear();
      },
    },
  ];
}

function cutFault([one, other]: readonly [Place, Place]): readonly [string, Fault] {
  return [
    `cut-${one}-${other}`,
    {
      seconds: 60,
      needsNamespaces: true,
      findObstacle: ({ network }) =>
        network === null ? 'needs iproute2 and a user who may make network namespaces' : null,
      play: async ({ network }, forMs) => {
        network?.cut(one, other);
        await sleep(forMs);
        network?.heal(one, other);
      },
    },
  ];
}

async function killEverything({ service, servers, target }: Stage, forMs: number): Promise<void> {
  const names = [...service.processes.keys()];
  const before = target.total();
  // Waits for a request. The kill then happens during a check, because the target responds slowly.
  while (target.total() === before) await sleep(5);
  for (const name of SERVERS) servers[name]?.kill();
  await Promise.all(names.map((name) => service.kill(name)));
  await sleep(forMs);
  for (const name of names) await service.start(name);
}

interface Troubles {
  readonly countOf: (monitors: number) => number;
  readonly intervalMs?: number;
  readonly seconds?: number;
}

function targetFault(
  name: string,
  how: 'failing' | 'hanging',
  { countOf, intervalMs = INTERVAL_MS, seconds = 30 }: Troubles,
): readonly [string, Fault] {
  return [
    name,
    {
      seconds,
      troubles: { countOf, intervalMs },
      play: (stage, forMs, troubled) => troubleTargets(stage, troubled, { how, forMs }),
    },
  ];
}

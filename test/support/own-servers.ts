/**
 * A database and a Temporal server for one test alone, which may stop them in the middle of their
 * work. Everything else shares the servers of the run.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChildLog } from '../../src/embedded/child-log';
import { planDatabase } from '../../src/embedded/database-process';
import { choosePort } from '../../src/embedded/free-port';
import { prepareNamespace } from '../../src/embedded/prepare-namespace';
import { silentProgress } from '../../src/embedded/progress';
import {
  type ProcessPlan,
  type SupervisedProcess,
  superviseProcess,
} from '../../src/embedded/supervised-process';
import { planTemporal } from '../../src/embedded/temporal-process';
import { findTemporal } from '../../src/embedded/temporal-sources';
import { uniqueSuite } from './service';

export interface OwnServer {
  /** SIGSTOP: it holds its connections and answers nothing. */
  readonly freeze: () => void;
  /** SIGCONT. */
  readonly thaw: () => void;
  /** SIGKILL; it is started again at once, with its data. */
  readonly kill: () => void;
}

export interface OwnServers {
  readonly database: OwnServer;
  readonly temporal: OwnServer;
  /** Settings that lead a service here, to a namespace that is prepared. */
  readonly environment: Readonly<
    Record<'MONGODB_URI' | 'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE', string>
  >;
  readonly stop: () => Promise<void>;
}

const STOP_WITHIN_MS = 5_000;

interface Started extends OwnServer {
  readonly child: SupervisedProcess;
}

export async function startOwnServers(): Promise<OwnServers> {
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-own-servers-'));
  const environment = { ...process.env };
  const found = await findTemporal({ address: undefined, environment, progress: silentProgress });
  if (found.kind === 'address') throw new Error('this test needs a Temporal server of its own');
  const [port, uiPort] = [await choosePort(undefined), await choosePort(undefined)];
  const databasePort = await choosePort(undefined);
  mkdirSync(join(folder, 'database-embedded'));
  const temporal = start(
    planTemporal({ program: found, folder, port, uiPort, environment }),
    folder,
  );
  const server = { kind: 'embedded' } as const;
  const database = start(
    planDatabase({ server, folder, address: { port: databasePort }, environment }),
    folder,
  );
  await Promise.all([temporal.child.ready, database.child.ready]);
  const namespace = uniqueSuite();
  await prepareNamespace(`127.0.0.1:${port}`, namespace);
  return {
    database,
    temporal,
    environment: {
      MONGODB_URI: `mongodb://127.0.0.1:${databasePort}/keepwatch`,
      TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
      TEMPORAL_NAMESPACE: namespace,
    },
    stop: async () => {
      for (const server of [temporal, database]) server.thaw();
      await Promise.all([temporal, database].map(({ child }) => child.stop(STOP_WITHIN_MS)));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A foreign program runs below one of ours: both make one server. */
function start(plan: ProcessPlan, folder: string): Started {
  let pids: number[] = [];
  const child = superviseProcess(plan, openChildLog({ folder, name: plan.name }), {
    onStarted: (name, pid) => {
      pids = name === plan.name ? [pid] : [...pids, pid];
    },
    onNews: () => undefined,
  });
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) process.kill(pid, name);
  };
  return {
    child,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    // The program first: it must not hear that its parent has died.
    kill: () => {
      for (const pid of pids.toReversed()) process.kill(pid, 'SIGKILL');
    },
  };
}

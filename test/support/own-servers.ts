/**
 * Starts a database and a Temporal server for one test, which may stop them at any time. Other tests share the servers
 * of the run.
 */
import { spawnSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { noteStart } from './note-start';
import { uniqueSuite } from './service';
import { waitUntil } from './wait-until';

export interface OwnServer {
  /** Sends SIGSTOP. The server keeps its connections and sends nothing. */
  readonly freeze: () => void;
  /** Sends SIGCONT. The server continues where it was frozen. */
  readonly thaw: () => void;
  /** Sends SIGKILL. The server is restarted at once with its data. */
  readonly kill: () => void;
}

/** Freezes the server for this time. The time is the duration of a fault, not a wait for a condition. */
export async function freezeFor(
  { freeze, thaw }: Pick<OwnServer, 'freeze' | 'thaw'>,
  forMs: number,
): Promise<void> {
  freeze();
  await sleep(forMs);
  thaw();
}

/** A disk that only one server uses. A test can fill it up. */
export interface SmallDisk {
  readonly fill: () => void;
  readonly clear: () => void;
}

interface OwnServersOptions {
  /** If true, each server's data is in a small file system of its own, if this user may mount one. */
  readonly smallDisks?: boolean;
}

export interface OwnServers {
  /** null if no disks were requested, or if no disks can be mounted here. */
  readonly disks: Readonly<Record<'database' | 'temporal', SmallDisk>> | null;
  /** Deletes all data of Temporal, as if its disk were lost. Resolves when Temporal is ready again and empty. */
  readonly loseTemporal: () => Promise<void>;
  /** null if Temporal stores its data in a file of its own instead of PostgreSQL. */
  readonly postgres: OwnServer | null;
  readonly database: OwnServer;
  readonly temporal: OwnServer;
  /** Settings that connect a service to these servers and to a prepared namespace. */
  readonly environment: Readonly<
    Record<'MONGODB_URI' | 'TEMPORAL_ADDRESS' | 'TEMPORAL_NAMESPACE', string>
  >;
  readonly stop: () => Promise<void>;
}

const STOP_WITHIN_MS = 5_000;

export interface Started extends OwnServer {
  readonly child: SupervisedProcess;
}

export async function startOwnServers({
  smallDisks = false,
}: OwnServersOptions = {}): Promise<OwnServers> {
  noteStart('servers');
  const folder = mkdtempSync(join(tmpdir(), 'keepwatch-own-servers-'));
  const environment = { ...process.env };
  const found = await findTemporal({ address: undefined, environment, progress: silentProgress });
  if (found.kind === 'address') throw new Error('this test needs a Temporal server of its own');
  const [port, uiPort] = [await choosePort(undefined), await choosePort(undefined)];
  const databasePort = await choosePort(undefined);
  const folders = { database: join(folder, 'database'), temporal: join(folder, 'temporal') };
  for (const own of Object.values(folders)) mkdirSync(own);
  const disks = smallDisks ? mountDisks(folders) : null;
  mkdirSync(join(folders.database, 'database-embedded'));
  const temporal = startOwnServer(
    planTemporal({ program: found, folder: folders.temporal, port, uiPort, environment }),
    folder,
  );
  const server = { kind: 'embedded' } as const;
  const database = startOwnServer(
    planDatabase({
      server,
      folder: folders.database,
      address: { port: databasePort },
      environment,
    }),
    folder,
  );
  await Promise.all([temporal.child.ready, database.child.ready]);
  const namespace = uniqueSuite();
  await prepareNamespace(`127.0.0.1:${port}`, namespace);

  async function loseTemporal(): Promise<void> {
    for (const name of readdirSync(folders.temporal))
      if (name.startsWith('temporal-')) rmSync(join(folders.temporal, name));
    temporal.kill();
    await waitUntil('an empty Temporal server', () =>
      prepareNamespace(`127.0.0.1:${port}`, namespace).then(() => true),
    );
  }

  return {
    database,
    temporal,
    disks,
    postgres: null,
    loseTemporal,
    environment: {
      MONGODB_URI: `mongodb://127.0.0.1:${databasePort}/keepwatch`,
      TEMPORAL_ADDRESS: `127.0.0.1:${port}`,
      TEMPORAL_NAMESPACE: namespace,
    },
    stop: async () => {
      for (const server of [temporal, database]) server.thaw();
      await Promise.all([temporal, database].map(({ child }) => child.stop(STOP_WITHIN_MS)));
      if (disks !== null)
        for (const own of Object.values(folders)) spawnSync('umount', ['--lazy', own]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const DISK_MEGABYTES = 192;

/** Mounts a disk for each server. Returns null if this user or this system cannot mount disks. */
function mountDisks(folders: Readonly<Record<'database' | 'temporal', string>>) {
  const size = `size=${DISK_MEGABYTES}m`;
  const mounted: string[] = [];
  for (const folder of Object.values(folders)) {
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'keepwatch', folder]);
    if (status === 0) mounted.push(folder);
  }
  if (mounted.length === Object.values(folders).length)
    return { database: smallDisk(folders.database), temporal: smallDisk(folders.temporal) };
  for (const folder of mounted) spawnSync('umount', [folder]);
  return null;
}

function smallDisk(folder: string): SmallDisk {
  const ballast = join(folder, 'ballast');
  return {
    fill: () => {
      const file = openSync(ballast, 'w');
      const block = Buffer.alloc(64 * 1024);
      try {
        for (;;) writeSync(file, block);
      } catch (error) {
        // Does not use `instanceof Error`, because the test runner has its own error classes.
        const isFull = typeof error === 'object' && error !== null && 'code' in error;
        if (!isFull || error.code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    clear: () => rmSync(ballast, { force: true }),
  };
}

/**
 * Starts a server. If it is a third-party program, it runs as a child of one of our programs, and both count as one
 * server.
 */
export function startOwnServer(plan: ProcessPlan, folder: string): Started {
  let pids: number[] = [];
  const child = superviseProcess(plan, openChildLog({ folder, name: plan.name }), {
    onStarted: (name, pid) => {
      pids = name === plan.name ? [pid] : [...pids, pid];
    },
    onEvent: () => undefined,
  });
  const signal = (name: NodeJS.Signals) => {
    for (const pid of pids) process.kill(pid, name);
  };
  return {
    child,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    // Kills the third-party program first, so that it does not notice the death of its parent.
    kill: () => {
      for (const pid of pids.toReversed()) process.kill(pid, 'SIGKILL');
    },
  };
}

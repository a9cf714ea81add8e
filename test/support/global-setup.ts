/**
 * Runs once before all tests with servers. Builds what is out of date. Unpacks the browser before several files need it
 * at once. Starts one Temporal server and one embedded database for the whole run. Tests get the hosts and ports of
 * these servers in the environment. TEMPORAL_ADDRESS and MONGODB_URI name existing servers to use instead.
 */
import { accessSync, constants, mkdirSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openChildLog } from '../../src/embedded/child-log';
import { planDatabase } from '../../src/embedded/database-process';
import { choosePort } from '../../src/embedded/free-port';
import { createProgress } from '../../src/embedded/progress';
import { runCommand } from '../../src/embedded/run-command';
import {
  type ProcessPlan,
  type SupervisedProcess,
  superviseProcess,
} from '../../src/embedded/supervised-process';
import { planTemporal, UI_PUBLIC_PATH } from '../../src/embedded/temporal-process';
import { findTemporal } from '../../src/embedded/temporal-sources';
import { prepareBrowser } from '../dashboard/support/prepare-browser';
import { startSharedServers } from './shared-servers';
import { startedServers } from './started-servers';

const root = join(__dirname, '..', '..');
const environment = { ...process.env };
const progress = createProgress(process.stderr);

/** A file system that Linux keeps in memory. */
const MEMORY = '/dev/shm';
/** Free space in bytes that the memory must have. It is several times what the servers of one run store. */
const MEMORY_FREE_BYTES_MIN = 4 * 1024 ** 3;

/**
 * Chooses the parent folder of the servers' data: in memory if there is enough, otherwise on the disk. Every write of
 * every suite waits for these servers, and a flush to a disk stops them for milliseconds. Tests of durability start
 * their own servers, on the disk.
 */
function chooseParent(): string {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MEMORY_FREE_BYTES_MIN ? MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}

async function build(): Promise<void> {
  const result = await runCommand(process.execPath, [join(root, 'scripts', 'build.mjs')], {
    environment,
    timeoutMs: 300_000,
  });
  if (result.code !== 0) throw new Error(`${result.stdout}${result.stderr}`);
}

function start(plan: ProcessPlan, folder: string): SupervisedProcess {
  const log = openChildLog({ folder, name: plan.name });
  const child = superviseProcess(plan, log, {
    onStarted: () => undefined,
    onEvent: (sentence) => progress.say(sentence),
  });
  startedServers.push(child);
  return child;
}

async function startTemporal(folder: string): Promise<string> {
  const search = { address: process.env['TEMPORAL_ADDRESS'] || undefined, environment, progress };
  const found = await findTemporal(search);
  if (found.kind === 'address') return found.address;
  const port = await choosePort(undefined);
  const uiPort = await choosePort(undefined);
  await start(planTemporal({ program: found, folder, port, uiPort, environment }), folder).ready;
  process.env['KEEPWATCH_TEST_TEMPORAL_UI'] = `http://127.0.0.1:${uiPort}${UI_PUBLIC_PATH}`;
  return `127.0.0.1:${port}`;
}

async function startDatabase(folder: string): Promise<string> {
  const uri = process.env['MONGODB_URI'];
  if (uri !== undefined && uri !== '') return uri;
  const port = await choosePort(undefined);
  mkdirSync(join(folder, 'database-embedded'));
  const server = { kind: 'embedded' } as const;
  await start(planDatabase({ server, folder, address: { port }, environment }), folder).ready;
  return `mongodb://127.0.0.1:${port}`;
}

export = async function globalSetup(): Promise<void> {
  await build();
  await prepareBrowser();
  const folder = mkdtempSync(join(chooseParent(), 'keepwatch-test-servers-'));
  const [temporal, mongodb] = await Promise.all([startTemporal(folder), startDatabase(folder)]);
  process.env['KEEPWATCH_TEST_FOLDER'] = folder;
  process.env['KEEPWATCH_TEST_ROOT'] = root;
  process.env['KEEPWATCH_TEST_TEMPORAL'] = temporal;
  process.env['KEEPWATCH_TEST_MONGODB'] = mongodb;
  const shared = await startSharedServers();
  startedServers.push(shared);
  process.env['KEEPWATCH_TEST_SHARED'] = shared.url;
};

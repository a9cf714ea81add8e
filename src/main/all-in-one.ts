/**
 * Runs the whole service in one process tree (`npm start`): finds or downloads the servers, and runs the API, the
 * orchestrator and the probe as supervised children.
 */
import { totalmem } from 'node:os';
import { buildSystemEnvironment } from '../config/child-environment';
import { readSettings } from '../config/settings';
import { renderBanner } from '../embedded/banner';
import { claimDataFolder } from '../embedded/data-folder';
import { createProgress } from '../embedded/progress';
import { recordRelease } from '../embedded/start-checks/data-release';
import { warnOfLittleMemory } from '../embedded/start-checks/little-memory';
import { startServers } from '../embedded/start-servers';
import { startService } from '../embedded/start-service';
import { createSupervisor, endLeftovers } from '../embedded/supervisor';
import { exitWithParent } from '../platform/exit-with-parent';
import { createLogger } from '../platform/logger';
import { createShutdown } from '../platform/shutdown';
import { readVersion } from '../platform/version';

const progress = createProgress(process.stdout);
const shutdown = createShutdown(createLogger('all-in-one', 'error'));
let isStopping = false;

async function main(): Promise<void> {
  // Files that this process and its children create can be read only by this user.
  process.umask(0o077);
  const settings = readSettings('all-in-one');
  const environment = buildSystemEnvironment();

  const memory = { limitBytes: process.constrainedMemory(), machineBytes: totalmem() };
  const warning = warnOfLittleMemory(memory);
  if (warning !== null) progress.say(warning);

  const folder = await claimDataFolder(settings.KEEPWATCH_DATA_DIR);
  shutdown.onClose('data folder', folder.release);
  await recordRelease(folder, readVersion());
  await endLeftovers(folder, progress);

  const supervisor = createSupervisor(folder, progress);
  shutdown.onClose('child processes', supervisor.stop);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      isStopping = true;
      progress.say('Stopping in order: probes, orchestrator, API, Temporal, database.');
    });
  }
  shutdown.listen();
  exitWithParent();

  const context = { settings, folder, supervisor, environment, progress };
  const servers = await startServers(context);
  const service = await startService(context, servers);
  const { KEEPWATCH_REGIONS: regions } = settings;
  progress.say(renderBanner({ servers, service, regions, dataFolder: folder.path }));
}

main().catch(async (error: unknown) => {
  if (isStopping) return;
  progress.say(error instanceof Error ? error.message : String(error));
  await shutdown.close();
  process.exit(1);
});

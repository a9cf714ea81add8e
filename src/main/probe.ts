/** A probe: makes the checks of one or several regions. Never accesses the database. */
import { createNetworkWatch } from '../checks/network-watch';
import { readSettings, requireSetting } from '../config/settings';
import { readTemporalAddress } from '../config/temporal-settings';
import { systemClock } from '../platform/clock';
import { exitWithParent } from '../platform/exit-with-parent';
import { createLogger } from '../platform/logger';
import { createShutdown } from '../platform/shutdown';
import { announceStart, endOnFailure } from '../platform/start-role';
import { watchEventLoop } from '../platform/watch-event-loop';
import { connectWorker } from '../temporal/run-worker';
import { installRuntime } from '../temporal/runtime/install-runtime';
import { startTracing } from './open-tracing';
import { type ServedRegion, serveRegion } from './serve-region';

/** The exit code when the key was revoked. It is the code for unusable settings, because a restart would not help. */
const EXIT_REVOKED = 2;

async function main(): Promise<void> {
  const settings = readSettings('probe');
  const keys = requireSetting(settings.KEEPWATCH_PROBE_KEY, 'KEEPWATCH_PROBE_KEY');
  const logger = createLogger('probe', settings.LOG_LEVEL);
  announceStart(logger.child({ regions: keys.map(({ region }) => region) }));
  const shutdown = createShutdown(logger);
  shutdown.listen();
  shutdown.onClose('watch of the event loop', watchEventLoop('probe').stop);
  exitWithParent();
  installRuntime(logger, settings.KEEPWATCH_TEMPORAL_METRICS);
  const tracing = await startTracing(settings, 'probe', shutdown);

  const connection = await connectWorker(readTemporalAddress(settings), logger);
  shutdown.onClose('Temporal connection', () => connection.close());

  const network = createNetworkWatch({
    canaries: settings.KEEPWATCH_CANARY_HOSTS,
    nowMs: () => systemClock.now(),
  });
  const onRevoked = (region: string) => {
    logger.error({ region }, 'the key of this probe was revoked: the probe ends');
    void shutdown.close().then(() => process.exit(EXIT_REVOKED));
  };
  const shared = { settings, logger, connection, network, tracing, onRevoked };
  const served: ServedRegion[] = [];
  shutdown.onClose('channels to the API', async () => {
    await Promise.all(served.map(({ close }) => close()));
  });
  // All workers stop polling at the same time, so that every worker has the same time to finish its work.
  shutdown.onClose('workers', async () => {
    await Promise.all(served.map(({ stop }) => stop()));
  });
  const ended = keys.map(async (key) => {
    const one = await serveRegion(shared, key);
    served.push(one);
    await one.ended;
  });
  await Promise.all(ended);
}

main().catch(endOnFailure);

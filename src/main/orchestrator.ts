/** The orchestrator: runs the workflows and writes what they decide to the database. */
import { createHubActivities } from '../activities/hub-activities';
import { readSettings, required } from '../config/settings';
import { connectDatabase, createSettleStore, ensureIndexes } from '../models';
import { exitWithParent } from '../platform/exit-with-parent';
import { createLogger } from '../platform/logger';
import { createShutdown } from '../platform/shutdown';
import { endOnFailure, retryUntilUp } from '../platform/start-role';
import { connectWorker } from '../temporal/connect';
import { installRuntime } from '../temporal/install-runtime';
import { createOrchestratorWorker } from '../temporal/orchestrator-worker';
import { runWorker } from '../temporal/run-worker';

async function main(): Promise<void> {
  const settings = readSettings('orchestrator');
  const logger = createLogger('orchestrator', settings.LOG_LEVEL);
  const shutdown = createShutdown(logger);
  shutdown.listen();
  exitWithParent();
  installRuntime(logger);

  const uri = required(settings.MONGODB_URI, 'MONGODB_URI');
  const database = await retryUntilUp({ what: 'the database', logger }, async () => {
    const opened = await connectDatabase(uri, { logger });
    await ensureIndexes(opened);
    return opened;
  });
  shutdown.onClose('database', database.close);

  const address = required(settings.TEMPORAL_ADDRESS, 'TEMPORAL_ADDRESS');
  const namespace = settings.TEMPORAL_NAMESPACE;
  const connection = await connectWorker({ address, namespace }, logger);
  shutdown.onClose('Temporal connection', () => connection.close());

  const activities = createHubActivities({ settle: createSettleStore(database) });
  const worker = await retryUntilUp({ what: 'the Temporal namespace', logger }, () =>
    createOrchestratorWorker({ connection, namespace, activities }),
  );
  const running = runWorker(worker, logger);
  shutdown.onClose('worker', running.stop);
  await running.ended;
}

main().catch(endOnFailure);

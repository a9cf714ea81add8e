/** A probe: sends the HTTP requests of one region. It never sees the database. */
import { hostname } from 'node:os';
import { createDefinitionClient } from '../activities/definition-client';
import { startHello } from '../activities/hello-timer';
import { createInternalApiClient } from '../activities/internal-api-client';
import { createProbeActivities } from '../activities/probe-activities';
import { attemptTimeMs, createQuietActivities } from '../activities/quiet-activities';
import { createResultSender } from '../activities/result-sender';
import { createSecretClient } from '../activities/secret-client';
import { createNetworkWatch, watchNetwork } from '../checks/network-watch';
import { createStepRunner } from '../checks/run-http-step';
import { readSettings, required } from '../config/settings';
import { temporalAddressOf } from '../config/temporal-settings';
import type { ProbeHello } from '../contracts/probe-protocol';
import { RUN_VALUE_PURPOSE } from '../contracts/seal-contexts';
import { systemClock } from '../platform/clock';
import { exitWithParent } from '../platform/exit-with-parent';
import { createLogger } from '../platform/logger';
import { createTextSealer } from '../platform/sealing';
import { createShutdown } from '../platform/shutdown';
import { announceStart, endOnFailure, retryUntilUp } from '../platform/start-role';
import { readVersion, userAgent } from '../platform/version';
import { watchEventLoop } from '../platform/watch-event-loop';
import { connectWorker } from '../temporal/connect';
import { createDataConverter } from '../temporal/data-converter';
import { installRuntime } from '../temporal/install-runtime';
import { createProbeWorker } from '../temporal/probe-worker';
import { runWorker } from '../temporal/run-worker';
import { outgoingOptions } from './outgoing-options';

async function main(): Promise<void> {
  const settings = readSettings('probe');
  const region = required(settings.KEEPWATCH_REGION, 'KEEPWATCH_REGION');
  const logger = createLogger('probe', settings.LOG_LEVEL).child({ region });
  announceStart(logger);
  const shutdown = createShutdown(logger);
  shutdown.listen();
  shutdown.onClose('watch of the event loop', watchEventLoop('probe').stop);
  exitWithParent();
  installRuntime(logger);

  const temporalAddress = temporalAddressOf(settings);
  const { namespace } = temporalAddress;
  const connection = await connectWorker(temporalAddress, logger);
  shutdown.onClose('Temporal connection', () => connection.close());

  const secretKeys = required(settings.KEEPWATCH_SECRET_KEY, 'KEEPWATCH_SECRET_KEY');
  const apiUrl = settings.KEEPWATCH_API_URL;
  const internalApi = createInternalApiClient({ apiUrl, region, secretKeys });
  shutdown.onClose('channel to the API', internalApi.close);
  const runner = createStepRunner({
    userAgent: userAgent(),
    region,
    ...outgoingOptions(settings, [apiUrl, settings.TEMPORAL_ADDRESS]),
    logger,
  });
  shutdown.onClose('step runner', runner.close);

  const network = createNetworkWatch({
    canaries: settings.KEEPWATCH_CANARY_HOSTS,
    nowMs: () => systemClock.now(),
  });
  const probing = createProbeActivities({
    definitions: createDefinitionClient(internalApi),
    secrets: createSecretClient({ internalApi, now: () => performance.now() }),
    runValues: createTextSealer(secretKeys, RUN_VALUE_PURPOSE),
    runner: watchNetwork(runner, network),
  });
  const quiet = createQuietActivities({
    ...probing,
    sender: createResultSender(internalApi),
    serverTimeMs: attemptTimeMs,
    isEnabled: settings.KEEPWATCH_QUIET_CHECKS === 'on',
  });
  const activities = { ...probing, ...quiet };
  const dataConverter = createDataConverter(secretKeys, namespace);
  const worker = await retryUntilUp({ what: 'the Temporal namespace', logger }, () =>
    createProbeWorker({ connection, namespace, region, activities, dataConverter }),
  );
  const running = runWorker(worker, logger);
  shutdown.onClose('worker', running.stop);
  const identity = `${hostname()}:${process.pid}`;
  const sayHello = async (hello: ProbeHello): Promise<void> =>
    internalApi.sayHello({ ...hello, networkSuspectSinceMs: await network.look() });
  const hello = { region, identity, release: readVersion() };
  shutdown.onClose('hello', startHello({ sayHello }, hello, logger));
  await running.ended;
}

main().catch(endOnFailure);

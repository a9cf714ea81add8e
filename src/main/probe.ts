/** A probe: sends the HTTP requests of one region. It never sees the database. */
import { hostname } from 'node:os';
import { createDefinitionClient } from '../activities/definition-client';
import { startHello } from '../activities/hello-timer';
import { createInternalApiClient } from '../activities/internal-api-client';
import { createProbeActivities } from '../activities/probe-activities';
import { attemptTimeMs, createQuietActivities } from '../activities/quiet-activities';
import { openRegionRing } from '../activities/region-ring';
import { createResultSender } from '../activities/result-sender';
import { createSecretClient } from '../activities/secret-client';
import { traceSteps } from '../activities/trace-steps';
import { createNetworkWatch, watchNetwork } from '../checks/network-watch';
import { createStepRunner, type StepRunner } from '../checks/run-http-step';
import { readSettings, required, type SettingsOf } from '../config/settings';
import { temporalAddressOf } from '../config/temporal-settings';
import type { ProbeHello } from '../contracts/probe-protocol';
import { systemClock } from '../platform/clock';
import { exitWithParent } from '../platform/exit-with-parent';
import { createLogger, type Logger } from '../platform/logger';
import { createShutdown, type Shutdown } from '../platform/shutdown';
import { announceStart, endOnFailure, retryUntilUp } from '../platform/start-role';
import { readVersion, userAgent } from '../platform/version';
import { watchEventLoop } from '../platform/watch-event-loop';
import { connectWorker } from '../temporal/connect';
import { createRegionDataConverter } from '../temporal/data-converter';
import { createProbeWorker } from '../temporal/probe-worker';
import { runWorker } from '../temporal/run-worker';
import { installRuntime } from '../temporal/runtime/install-runtime';
import { openTracingOf } from './open-tracing';
import { outgoingOptions } from './outgoing-options';

/** As for settings that are not usable: a restart changes nothing. */
const EXIT_REVOKED = 2;

async function main(): Promise<void> {
  const settings = readSettings('probe');
  const { region } = required(settings.KEEPWATCH_PROBE_KEY, 'KEEPWATCH_PROBE_KEY');
  const logger = createLogger('probe', settings.LOG_LEVEL).child({ region });
  announceStart(logger);
  const shutdown = createShutdown(logger);
  shutdown.listen();
  shutdown.onClose('watch of the event loop', watchEventLoop('probe').stop);
  exitWithParent();
  installRuntime(logger, settings.KEEPWATCH_TEMPORAL_METRICS);
  const tracing = await openTracingOf(settings, 'probe', shutdown);

  const temporalAddress = temporalAddressOf(settings);
  const { namespace } = temporalAddress;
  const connection = await connectWorker(temporalAddress, logger);
  shutdown.onClose('Temporal connection', () => connection.close());

  const { internalApi, ring } = await reachApi(settings, { shutdown, logger });
  const runner = openRunner(settings, region, { shutdown, logger });

  const network = createNetworkWatch({
    canaries: settings.KEEPWATCH_CANARY_HOSTS,
    nowMs: () => systemClock.now(),
  });
  const probing = createProbeActivities({
    definitions: createDefinitionClient(internalApi),
    secrets: createSecretClient({ internalApi, now: () => performance.now() }),
    runValues: ring.runValues,
    runner: traceSteps(watchNetwork(runner, network), tracing, region),
  });
  const quiet = createQuietActivities({
    ...probing,
    sender: createResultSender(internalApi),
    serverTimeMs: attemptTimeMs,
    isEnabled: settings.KEEPWATCH_QUIET_CHECKS === 'on',
  });
  const activities = { ...probing, ...quiet };
  const dataConverter = createRegionDataConverter(ring, namespace);
  const worker = await retryUntilUp({ what: 'the Temporal namespace', logger }, () =>
    createProbeWorker({ connection, namespace, region, activities, dataConverter, tracing }),
  );
  const running = runWorker(worker, logger);
  shutdown.onClose('worker', running.stop);
  const identity = `${hostname()}:${process.pid}`;
  const sayHello = async (hello: ProbeHello): Promise<void> => {
    await internalApi.sayHello({ ...hello, networkSuspectSinceMs: await network.look() });
    await ring.renew();
  };
  const hello = { region, identity, release: readVersion() };
  shutdown.onClose('hello', startHello({ sayHello }, hello, logger));
  await running.ended;
}

function openRunner(
  settings: SettingsOf<'probe'>,
  region: string,
  { shutdown, logger }: Process,
): StepRunner {
  const { KEEPWATCH_API_URL, TEMPORAL_ADDRESS, OTEL_EXPORTER_OTLP_ENDPOINT } = settings;
  const servers = [KEEPWATCH_API_URL, TEMPORAL_ADDRESS, OTEL_EXPORTER_OTLP_ENDPOINT];
  const outgoing = outgoingOptions(settings, servers);
  const runner = createStepRunner({ userAgent: userAgent(), region, ...outgoing, logger });
  shutdown.onClose('step runner', runner.close);
  return runner;
}

interface Process {
  readonly shutdown: Shutdown;
  readonly logger: Logger;
}

/** Resolves when the API has given the keys of the region: nothing can be done without them. */
async function reachApi(settings: SettingsOf<'probe'>, { shutdown, logger }: Process) {
  const { KEEPWATCH_API_URL: apiUrl } = settings;
  const key = required(settings.KEEPWATCH_PROBE_KEY, 'KEEPWATCH_PROBE_KEY');
  const onRevoked = () => endRevoked({ shutdown, logger });
  const internalApi = createInternalApiClient({ apiUrl, key, onRevoked });
  shutdown.onClose('channel to the API', internalApi.close);
  const { region } = key;
  const ring = await retryUntilUp({ what: `the API at ${apiUrl}`, logger }, () =>
    openRegionRing({ internalApi, region, now: () => performance.now() }),
  );
  return { internalApi, ring };
}

function endRevoked({ shutdown, logger }: Process): void {
  logger.error('the key of this probe was revoked: it ends');
  void shutdown.close().then(() => process.exit(EXIT_REVOKED));
}

main().catch(endOnFailure);

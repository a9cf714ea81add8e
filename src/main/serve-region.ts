/** One region of a probe: its connection to the API, its keys, and its worker. Regions share no state. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { NativeConnection } from '@temporalio/worker';
import { createDefinitionClient } from '../activities/definition-client';
import { startAliveReports, startHello } from '../activities/hello-timer';
import { createInternalApiClient } from '../activities/internal-api-client';
import { createProbeActivities } from '../activities/probe-activities';
import { openRegionKeyring, type RegionKeyring } from '../activities/region-keyring';
import { createSecretClient } from '../activities/secret-client';
import { traceSteps } from '../activities/trace-steps';
import { createProbeCanary } from '../activities/watchdog-activities';
import { createApiClock } from '../activities/watches/api-clock';
import { createWatchActivities } from '../activities/watches/watch-activities';
import { createWatcher } from '../activities/watches/watcher';
import { type NetworkWatch, watchNetwork } from '../checks/network-watch';
import type { StepRunner } from '../checks/step-runner';
import { buildSystemEnvironment } from '../config/child-environment';
import type { SettingsFor } from '../config/settings';
import type { ProbeKey } from '../contracts/probe-key';
import { createStepRunner } from '../kinds/run-step';
import type { Logger } from '../platform/logger';
import { retryUntilUp } from '../platform/start-role';
import type { Tracing } from '../platform/tracing';
import { buildUserAgent, readVersion } from '../platform/version';
import { createRegionDataConverter } from '../temporal/data-converter';
import { createProbeWorker, createWatchWorker } from '../temporal/probe-worker';
import { createReportEnd } from '../temporal/report-watch-end';
import { type RunningWorker, runWorker } from '../temporal/run-worker';
import { buildOutgoingOptions } from './outgoing-options';

/** The objects that all regions of a process share. */
export interface ProbeProcess {
  readonly settings: SettingsFor<'probe'>;
  readonly logger: Logger;
  readonly connection: NativeConnection;
  readonly network: NetworkWatch;
  readonly tracing: Tracing | undefined;
  /** Called when the API no longer accepts the region's key. */
  readonly onRevoked: (region: string) => void;
}

export interface ServedRegion extends RunningWorker {
  /** Releases the resources of the worker. Call this once the worker has stopped. */
  readonly close: () => Promise<void>;
}

/** Connects the region and starts its worker. Resolves when the region has its keys and its worker is polling. */
export async function serveRegion(shared: ProbeProcess, key: ProbeKey): Promise<ServedRegion> {
  const { settings, connection, network, tracing } = shared;
  const { region } = key;
  const logger = shared.logger.child({ region });
  const apiUrl = settings.KEEPWATCH_API_URL;
  const onRevoked = () => shared.onRevoked(region);
  const clock = createApiClock();
  // The name of this process, which is different at each start. A different name shows which watches belong to an
  // earlier start and must be handed over.
  const instance = `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`;
  const internalApi = createInternalApiClient({ apiUrl, key, onRevoked, instance, clock });
  // The keys are read first, because a probe needs them for everything.
  const keyring = await retryUntilUp({ what: `the API at ${apiUrl}`, logger }, () =>
    openRegionKeyring({ internalApi, region, now: () => performance.now() }),
  );
  const runner = createRunner(settings, region, logger);
  const activities = createProbeActivities({
    definitions: createDefinitionClient(internalApi),
    secrets: createSecretClient({ internalApi, now: () => performance.now() }),
    runValues: keyring.runValues,
    runner: traceSteps(watchNetwork(runner, network), tracing, region),
  });
  const { namespace, dataConverter } = createConverter(settings, keyring);
  const isEnabled = settings.KEEPWATCH_STEADY === 'watch';
  const watcher = createWatcher({ ...activities, internalApi, clock, isEnabled });
  const reportEnd = createReportEnd(connection, namespace, dataConverter);
  const common = { connection, namespace, region, dataConverter, tracing };
  const watches = createWatchActivities(watcher, reportEnd);
  const [worker, watchWorker] = await retryUntilUp({ what: 'the Temporal namespace', logger }, () =>
    Promise.all([
      createProbeWorker({
        ...common,
        activities: { ...activities, ...createProbeCanary(internalApi) },
      }),
      createWatchWorker({ ...common, activities: watches }),
    ]),
  );
  const running = runWorker(worker, logger);
  const watching = runWorker(watchWorker, logger.child({ worker: 'watches' }));
  const hello = { region, identity: `${hostname()}:${process.pid}`, release: readVersion() };
  const sayHello = async (): Promise<void> => {
    await internalApi.sayHello({ ...hello, networkSuspectSinceMs: await network.look() });
    await keyring.renew();
  };
  const stopHello = startHello({ sayHello }, hello, logger);
  const stopAlive = startAliveReports(internalApi, watcher.moveGrids);
  const close = async (): Promise<void> => {
    await Promise.all([runner.close(), internalApi.close()]);
  };
  const stop = async (): Promise<void> => {
    stopHello();
    const stopped = [running.stop(), watching.stop()];
    await watcher.drain();
    stopAlive();
    await Promise.all(stopped);
  };
  const ended = Promise.all([running.ended, watching.ended]).then(() => undefined);
  return { ended, stop, close };
}

function createConverter(
  { TEMPORAL_NAMESPACE: namespace }: SettingsFor<'probe'>,
  keyring: RegionKeyring,
) {
  return { namespace, dataConverter: createRegionDataConverter(keyring, namespace) };
}

function createRunner(settings: SettingsFor<'probe'>, region: string, logger: Logger): StepRunner {
  const { KEEPWATCH_API_URL, TEMPORAL_ADDRESS, OTEL_EXPORTER_OTLP_ENDPOINT } = settings;
  const servers = [KEEPWATCH_API_URL, TEMPORAL_ADDRESS, OTEL_EXPORTER_OTLP_ENDPOINT];
  const outgoing = buildOutgoingOptions(settings, servers);
  const { KEEPWATCH_RDAP_BOOTSTRAP_URL: rdapBootstrapUrl } = settings;
  return createStepRunner({
    userAgent: buildUserAgent(),
    region,
    ...outgoing,
    rdapBootstrapUrl,
    programPath: buildSystemEnvironment()['PATH'] ?? '',
    logger,
  });
}

/** One region of a probe: its channel to the API, its keys, its worker. Regions share a process, and no state. */
import { hostname } from 'node:os';
import { Context } from '@temporalio/activity';
import type { NativeConnection } from '@temporalio/worker';
import { createAttemptClock } from '../activities/attempt-clock';
import { createDefinitionClient } from '../activities/definition-client';
import { startHello } from '../activities/hello-timer';
import { createInternalApiClient } from '../activities/internal-api-client';
import { createProbeActivities } from '../activities/probe-activities';
import { createQuietActivities } from '../activities/quiet-activities';
import { openRegionRing, type RegionKeyRing } from '../activities/region-ring';
import { createResultSender } from '../activities/result-sender';
import { createSecretClient } from '../activities/secret-client';
import { traceSteps } from '../activities/trace-steps';
import { type NetworkWatch, watchNetwork } from '../checks/network-watch';
import { createStepRunner, type StepRunner } from '../checks/run-http-step';
import type { SettingsOf } from '../config/settings';
import type { ProbeKey } from '../contracts/probe-key';
import type { Logger } from '../platform/logger';
import { retryUntilUp } from '../platform/start-role';
import type { Tracing } from '../platform/tracing';
import { readVersion, userAgent } from '../platform/version';
import { createRegionDataConverter } from '../temporal/data-converter';
import { createFailAttempt } from '../temporal/fail-attempt';
import { createProbeWorker } from '../temporal/probe-worker';
import { type RunningWorker, runWorker } from '../temporal/run-worker';
import { outgoingOptions } from './outgoing-options';

/** What the regions of a process share. */
export interface ProbeProcess {
  readonly settings: SettingsOf<'probe'>;
  readonly logger: Logger;
  readonly connection: NativeConnection;
  readonly network: NetworkWatch;
  readonly tracing: Tracing | undefined;
  /** The API takes the key no longer. */
  readonly onRevoked: (region: string) => void;
}

export interface ServedRegion extends RunningWorker {
  /** Ends what the worker used; to be called once it has stopped. */
  readonly close: () => Promise<void>;
}

/** Resolves when the region is served: the API has given its keys, and the worker takes work. */
export async function serveRegion(shared: ProbeProcess, key: ProbeKey): Promise<ServedRegion> {
  const { settings, connection, network, tracing } = shared;
  const { region } = key;
  const logger = shared.logger.child({ region });
  const apiUrl = settings.KEEPWATCH_API_URL;
  const onRevoked = () => shared.onRevoked(region);
  const internalApi = createInternalApiClient({ apiUrl, key, onRevoked });
  // Nothing can be done without the keys.
  const ring = await retryUntilUp({ what: `the API at ${apiUrl}`, logger }, () =>
    openRegionRing({ internalApi, region, now: () => performance.now() }),
  );
  const runner = createRunner(settings, region, logger);
  const probing = createProbeActivities({
    definitions: createDefinitionClient(internalApi),
    secrets: createSecretClient({ internalApi, now: () => performance.now() }),
    runValues: ring.runValues,
    runner: traceSteps(watchNetwork(runner, network), tracing, region),
  });
  const { namespace, dataConverter } = converterOf(settings, ring);
  const clock = createAttemptClock();
  const quiet = createQuietActivities({
    ...probing,
    sender: createResultSender(internalApi),
    attemptTime: () => clock(Context.current().info.currentAttemptScheduledTimestampMs),
    isEnabled: settings.KEEPWATCH_QUIET_CHECKS === 'on',
    failAttempt: createFailAttempt(connection, namespace, dataConverter),
  });
  const activities = { ...probing, ...quiet };
  const worker = await retryUntilUp({ what: 'the Temporal namespace', logger }, () =>
    createProbeWorker({ connection, namespace, region, activities, dataConverter, tracing }),
  );
  const running = runWorker(worker, logger);
  const hello = { region, identity: `${hostname()}:${process.pid}`, release: readVersion() };
  const sayHello = async (): Promise<void> => {
    await internalApi.sayHello({ ...hello, networkSuspectSinceMs: await network.look() });
    await ring.renew();
  };
  const stopHello = startHello({ sayHello }, hello, logger);
  const close = async (): Promise<void> => {
    await Promise.all([runner.close(), internalApi.close()]);
  };
  const stop = (): Promise<void> => {
    stopHello();
    return running.stop();
  };
  return { ended: running.ended, stop, close };
}

function converterOf({ TEMPORAL_NAMESPACE: namespace }: SettingsOf<'probe'>, ring: RegionKeyRing) {
  return { namespace, dataConverter: createRegionDataConverter(ring, namespace) };
}

function createRunner(settings: SettingsOf<'probe'>, region: string, logger: Logger): StepRunner {
  const { KEEPWATCH_API_URL, TEMPORAL_ADDRESS, OTEL_EXPORTER_OTLP_ENDPOINT } = settings;
  const servers = [KEEPWATCH_API_URL, TEMPORAL_ADDRESS, OTEL_EXPORTER_OTLP_ENDPOINT];
  const outgoing = outgoingOptions(settings, servers);
  return createStepRunner({ userAgent: userAgent(), region, ...outgoing, logger });
}

/**
 * What faults are played on: a service with servers of its own, monitors whose targets are well, a
 * receiver of alerts, and connections that can be cut. It judges nothing.
 */
import { z } from 'zod';
import { mapAtMost } from '../../src/platform/map-at-most';
import { type HttpSink, startHttpSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { type CutProxy, startCutProxy } from '../support/cut-proxy';
import { type OwnServers, startOwnServers } from '../support/own-servers';
import { type ReadOnlyProxy, startReadOnlyProxy } from '../support/read-only-proxy';
import { startService, type TestService } from '../support/service';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock';
import { type SwitchableTarget, startSwitchableTarget } from '../support/switchable-target';
import { waitUntil } from '../support/wait-until';
import { startClusterServers } from './cluster-servers';

export const INTERVAL_MS = 10_000;
export const REGION = 'eu-west';
const PROBE = `probe-${REGION}` as const;
/** Of the service, by name. */
export const PROCESSES = ['api', 'orchestrator', PROBE] as const;
type ProcessName = (typeof PROCESSES)[number];
export const CUTS = ['api-database', 'probe-api', 'probe-temporal'] as const;
/** Monitors that are created, read or deleted together. */
export const AT_ONCE_MAX = 8;
/** The second orchestrator of a cluster. */
const SECOND = 'orchestrator-2';
/** With many others that are created at the same time. */
const CHECKED_WITHIN_MS = 240_000;
/** So that faults fall into checks. */
const ANSWER_MS = 500;
const CREATED = z.object({ id: z.string() });
const ANY = z.looseObject({});

export interface Monitor {
  readonly id: string;
  readonly name: string;
  /** Of its target. */
  readonly path: string;
  readonly intervalMs: number;
}

export interface Stage {
  readonly servers: OwnServers;
  readonly service: TestService;
  readonly target: SwitchableTarget;
  readonly hook: HttpSink;
  readonly api: ApiClient;
  readonly cuts: Readonly<Record<(typeof CUTS)[number], CutProxy>>;
  /** Before the database, for everyone who writes. */
  readonly writes: ReadOnlyProxy;
  readonly clocks: Readonly<Record<ProcessName, ShiftedClock>>;
  /** Whose targets answer, unless a fault says otherwise. */
  readonly monitors: readonly Monitor[];
  /** Resolves when each was checked; several at a time. */
  readonly createMonitors: (
    names: readonly string[],
    intervalMs?: number,
  ) => Promise<readonly Monitor[]>;
  readonly stop: () => Promise<void>;
}

interface StageOptions {
  /** On the cluster two orchestrators run, and Temporal on PostgreSQL. */
  readonly on: 'all-in-one' | 'cluster';
  readonly monitors: number;
  readonly quiet: 'on' | 'off';
  readonly smallDisks: boolean;
}

/** Repeated under one key: a 503 of a busy machine may come after the monitor was stored. */
async function postMonitor(url: string, apiKey: string, body: { readonly name: string }) {
  const response = await fetch(`${url}/v1/monitors`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': body.name,
    },
    body: JSON.stringify(body),
  });
  return CREATED.parse(await response.json()).id;
}

export async function openStage(options: StageOptions): Promise<Stage> {
  const { on, quiet, smallDisks } = options;
  const isCluster = on === 'cluster';
  const servers = isCluster ? await startClusterServers() : await startOwnServers({ smallDisks });
  const [target, hook] = await Promise.all([startSwitchableTarget(ANSWER_MS), startHttpSink()]);
  const { MONGODB_URI, TEMPORAL_ADDRESS } = servers.environment;
  const writes = await startReadOnlyProxy(Number(new URL(MONGODB_URI).port));
  const clocks = {
    api: createShiftedClock(),
    orchestrator: createShiftedClock(),
    [PROBE]: createShiftedClock(),
  };
  let apiPort: number | undefined;
  const cuts = {
    'api-database': await startCutProxy(() => writes.port),
    'probe-api': await startCutProxy(() => apiPort),
    'probe-temporal': await startCutProxy(() => Number(TEMPORAL_ADDRESS.split(':')[1])),
  };
  const databaseAt = (port: number) => {
    const uri = new URL(MONGODB_URI);
    uri.port = String(port);
    return { MONGODB_URI: uri.href };
  };
  const service = await startService({
    regions: [REGION],
    environment: { ...servers.environment, KEEPWATCH_QUIET_CHECKS: quiet },
    environmentOf: {
      api: { ...databaseAt(cuts['api-database'].port), ...clocks.api.environment },
      orchestrator: { ...databaseAt(writes.port), ...clocks.orchestrator.environment },
      [SECOND]: databaseAt(writes.port),
      [PROBE]: {
        ...clocks[PROBE].environment,
        KEEPWATCH_API_URL: `http://127.0.0.1:${cuts['probe-api'].port}`,
        TEMPORAL_ADDRESS: `127.0.0.1:${cuts['probe-temporal'].port}`,
      },
    },
  });
  if (isCluster) await service.startOrchestrator(SECOND);
  apiPort = Number(new URL(service.url).port);
  const { apiKey } = await service.setup();
  const api = createApiClient(service.url, apiKey);
  const channel = { name: 'hook', type: 'webhook', url: hook.url };
  await api.call(
    { method: 'POST', path: '/v1/alert-channels', body: channel },
    { status: 201, shape: ANY },
  );

  async function createMonitor(name: string, intervalMs: number): Promise<Monitor> {
    const path = `/${name}`;
    const body = { name, key: name, url: target.url + path, interval: intervalMs / 1_000 };
    const bounds = { timeoutMs: 5_000, retries: 0, alerts: { channels: ['webhook'] } };
    const id = await waitUntil(`${name} is created`, () =>
      postMonitor(service.url, apiKey, { ...body, ...bounds }),
    );
    const isChecked = async () => (await api.resultsOf(id)).length > 0;
    await waitUntil(`${name} is checked`, isChecked, CHECKED_WITHIN_MS);
    return { id, name, path, intervalMs };
  }

  const createMonitors: Stage['createMonitors'] = (names, intervalMs = INTERVAL_MS) =>
    mapAtMost(AT_ONCE_MAX, names, (name) => createMonitor(name, intervalMs));
  const names = Array.from({ length: options.monitors }, (_, nth) => `m${nth}`);
  const monitors = await createMonitors(names);
  return {
    servers,
    service,
    target,
    hook,
    api,
    cuts,
    writes,
    clocks,
    monitors,
    createMonitors,
    stop: async () => {
      for (const proxy of Object.values(cuts)) proxy.heal();
      writes.setReadOnly(false);
      for (const server of [servers.database, servers.temporal, servers.postgres]) server?.thaw();
      for (const child of service.processes.values()) child.kill('SIGCONT');
      await service.stop();
      const closing = [servers.stop(), target.close(), hook.close()];
      const proxies = [...Object.values(cuts), writes];
      await Promise.all([...closing, ...proxies.map((proxy) => proxy.close())]);
      for (const clock of Object.values(clocks)) clock.remove();
    },
  };
}

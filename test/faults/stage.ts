/**
 * The stage for faults. It consists of a service with its own servers, monitors with healthy targets, a receiver of
 * alerts, and a network that can be cut. Contains no assertions.
 */
import { z } from 'zod';
import { type HttpSink, type MailSink, startHttpSink, startMailSink } from '../support/alert-sinks';
import { type ApiClient, createApiClient } from '../support/api-client';
import { startForwarder } from '../support/forwarder';
import { type OwnServers, startOwnServers } from '../support/own-servers';
import { type ReadOnlyProxy, startReadOnlyProxy } from '../support/read-only-proxy';
import { startService, type TestService } from '../support/service';
import { createShiftedClock, type ShiftedClock } from '../support/shifted-clock';
import { type SwitchableTarget, startSwitchableTarget } from '../support/switchable-target';
import { waitUntil } from '../support/wait-until';
import { applyMonitors } from './apply-monitors';
import { startClusterServers } from './cluster-servers';
import { NETWORK, type Network, openNetwork } from './network';
import type { Note } from './progress';

export const INTERVAL_MS = 10_000;
export const REGION = 'eu-west';
const PROBE = `probe-${REGION}` as const;
/** The names of the service's processes. */
export const PROCESSES = ['api', 'orchestrator', PROBE] as const;
type ProcessName = (typeof PROCESSES)[number];
/** Number of monitors that are read or deleted at the same time. */
export const AT_ONCE_MAX = 8;
/** The name of the second orchestrator of a cluster. */
const SECOND = 'orchestrator-2';
/** Milliseconds until the targets respond. They are slow, so that faults happen during checks. */
const ANSWER_MS = 500;
const ANY = z.looseObject({});
const LOOPBACK = '127.0.0.1';

export interface Monitor {
  readonly id: string;
  readonly name: string;
  /** The path of the monitor's target. */
  readonly path: string;
  readonly intervalMs: number;
}

export interface Stage {
  readonly servers: OwnServers;
  readonly service: TestService;
  readonly target: SwitchableTarget;
  readonly hook: HttpSink;
  readonly mail: MailSink;
  readonly api: ApiClient;
  /** null if no network was requested, or if no network can be created here. */
  readonly network: Network | null;
  /** A proxy in front of the database. Every process that writes uses it. */
  readonly writes: ReadOnlyProxy;
  readonly clocks: Readonly<Record<ProcessName, ShiftedClock>>;
  /** Monitors whose targets respond. A fault may make a target fail. */
  readonly monitors: readonly Monitor[];
  /** Creates monitors. Resolves when each monitor was checked. */
  readonly createMonitors: (
    names: readonly string[],
    options: { readonly intervalMs?: number; readonly note: Note },
  ) => Promise<readonly Monitor[]>;
  readonly stop: () => Promise<void>;
}

interface StageOptions {
  /** The cluster has two orchestrators, and its Temporal runs on PostgreSQL. */
  readonly on: 'all-in-one' | 'cluster';
  readonly monitors: number;
  readonly steady: 'watch' | 'full';
  readonly smallDisks: boolean;
  /** If true, the API and the probe run in their own namespaces, if this user can create namespaces. */
  readonly namespaces: boolean;
  readonly note: Note;
}

/** Restarts processes that have exited, as a supervisor does. */
export async function revive({ service }: Pick<Stage, 'service'>): Promise<void> {
  for (const [name, child] of service.processes)
    if (child.exitCode !== null || child.signalCode !== null) await service.start(name);
}

export async function openStage(options: StageOptions): Promise<Stage> {
  const isCluster = options.on === 'cluster';
  const network = options.namespaces ? openNetwork() : null;
  const servers = isCluster ? await startClusterServers() : await startOwnServers(options);
  const [target, hook, mail] = await Promise.all([
    startSwitchableTarget(ANSWER_MS, network?.addresses.others),
    startHttpSink(),
    startMailSink(),
  ]);
  const { MONGODB_URI, TEMPORAL_ADDRESS } = servers.environment;
  const database = new URL(MONGODB_URI);
  const writes = await startReadOnlyProxy(Number(database.port), network?.addresses.database);
  const temporal =
    network &&
    (await startForwarder(Number(TEMPORAL_ADDRESS.split(':')[1]), network.addresses.temporal));
  const clocks = {
    api: createShiftedClock(),
    orchestrator: createShiftedClock(),
    [PROBE]: createShiftedClock(),
  };
  database.host = `${network?.addresses.database ?? LOOPBACK}:${writes.port}`;
  const itsDatabase = { MONGODB_URI: database.href };
  const itsTemporal = temporal && {
    TEMPORAL_ADDRESS: `${network?.addresses.temporal}:${temporal.port}`,
  };
  const service = await startService({
    regions: [REGION],
    environment: {
      ...servers.environment,
      KEEPWATCH_STEADY: options.steady,
      SMTP_URL: mail.url,
      MAIL_FROM: 'keepwatch@example.com',
      KEEPWATCH_ALLOWED_PRIVATE_TARGETS: `127.0.0.0/8,${NETWORK}`,
    },
    environmentOf: {
      api: { ...itsDatabase, ...itsTemporal, ...clocks.api.environment, HOST: '0.0.0.0' },
      orchestrator: { ...itsDatabase, ...clocks.orchestrator.environment },
      [SECOND]: itsDatabase,
      [PROBE]: { ...itsTemporal, ...clocks[PROBE].environment },
    },
    ...(network !== null && {
      apiHost: network.addresses.api,
      commandOf: { api: network.enter('api'), [PROBE]: network.enter('probe') },
    }),
  });
  if (isCluster) await service.startOrchestrator(SECOND);
  const { apiKey } = await service.setup();
  const api = createApiClient(service.url, apiKey);
  const channel = { name: 'hook', type: 'webhook', url: hook.url };
  await api.call(
    { method: 'POST', path: '/v1/alert-channels', body: channel },
    { status: 201, shape: ANY },
  );

  const createMonitors: Stage['createMonitors'] = async (names, { intervalMs, note }) => {
    const made = await makeMonitors(names, intervalMs ?? INTERVAL_MS, note);
    for (const [nth, { id, name }] of made.entries()) {
      note(`${nth} of ${made.length} monitors checked`);
      const isChecked = async () => (await api.resultsOf(id)).length > 0;
      await waitUntil(`${name} is checked`, isChecked);
    }
    return made;
  };
  async function makeMonitors(names: readonly string[], intervalMs: number, note: Note) {
    const bodies = names.map((name) => ({
      name,
      key: name,
      url: `${target.url}/${name}`,
      interval: intervalMs / 1_000,
      timeoutMs: 5_000,
      retries: 0,
      alerts: { channels: ['webhook'] },
    }));
    const ids = await applyMonitors(api, bodies, note);
    return names.map(
      (name): Monitor => ({ id: ids.get(name) ?? '', name, path: `/${name}`, intervalMs }),
    );
  }
  const names = Array.from({ length: options.monitors }, (_, nth) => `m${nth}`);
  const monitors = await createMonitors(names, options);
  return {
    servers,
    service,
    target,
    hook,
    mail,
    api,
    network,
    writes,
    clocks,
    monitors,
    createMonitors,
    stop: async () => {
      writes.setReadOnly(false);
      for (const server of [servers.database, servers.temporal, servers.postgres]) server?.thaw();
      for (const child of service.processes.values()) child.kill('SIGCONT');
      await service.stop();
      const closing = [servers.stop(), target.close(), hook.close(), mail.close()];
      await Promise.all([...closing, writes.close(), temporal?.close()]);
      network?.close();
      for (const clock of Object.values(clocks)) clock.remove();
    },
  };
}

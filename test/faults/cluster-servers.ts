/**
 * Servers for faults as docker-compose.prod.yml runs them: Temporal on PostgreSQL. The embedded database replaces
 * MongoDB, because no package registry contains MongoDB.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { planDatabase } from '../../src/embedded/database-process';
import { choosePort } from '../../src/embedded/free-port';
import {
  givenPrograms,
  startTemporalCluster,
  type TemporalCluster,
} from '../cluster/temporal-cluster';
import { readCompose } from '../compose/read-compose';
import { type OwnServer, type OwnServers, startOwnServer } from '../support/own-servers';

const STOP_WITHIN_MS = 5_000;

export async function startClusterServers(): Promise<OwnServers> {
  const compose = readCompose('docker-compose.prod.yml', {
    KEEPWATCH_SECRET_KEY: 'ab'.repeat(32),
    KEEPWATCH_PUBLIC_URL: 'https://watch.example.com',
    KEEPWATCH_TRUST_PROXY: '1',
    POSTGRES_PASSWORD: 'cd'.repeat(32),
    MONGO_PASSWORD: 'ef'.repeat(32),
    MONGO_REPLICA_KEY: '01'.repeat(32),
  });
  const cluster = await startTemporalCluster(compose, givenPrograms());
  const folder = join(cluster.folder, 'database');
  mkdirSync(join(folder, 'database-embedded'), { recursive: true });
  const port = await choosePort(undefined);
  const plan = { folder, address: { port }, environment: { ...process.env } };
  const database = startOwnServer(
    planDatabase({ server: { kind: 'embedded' }, ...plan }),
    cluster.folder,
  );
  await database.child.ready;
  return {
    database,
    temporal: partOf(cluster, 'temporal'),
    postgres: partOf(cluster, 'postgres'),
    disks: null,
    loseTemporal: cluster.lose,
    environment: {
      MONGODB_URI: `mongodb://127.0.0.1:${port}/keepwatch`,
      TEMPORAL_ADDRESS: cluster.address,
      TEMPORAL_NAMESPACE: 'keepwatch',
    },
    stop: async () => {
      for (const name of ['temporal', 'postgres'] as const) cluster.signal(name, 'SIGCONT');
      await database.child.stop(STOP_WITHIN_MS);
      await cluster.stop();
    },
  };
}

/** Returns the part of the cluster as a server. After a kill, it is restarted at once. */
function partOf(cluster: TemporalCluster, name: 'temporal' | 'postgres'): OwnServer {
  return {
    freeze: () => cluster.signal(name, 'SIGSTOP'),
    thaw: () => cluster.signal(name, 'SIGCONT'),
    kill: () => {
      void cluster.kill(name).then(() => cluster.start(name));
    },
  };
}

/**
 * Connections to the Temporal server: a lazy one for clients, so that a process starts while the
 * server is away, and a patient one for workers. It knows nothing of workflows.
 */
import { rootCertificates } from 'node:tls';
import { Client, Connection, type ConnectionOptions } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from '../platform/logger';
import { retryUntilUp } from '../platform/start-role';
import type { Tracing } from '../platform/tracing';
import { traceCalls } from './carry-trace';
import { createDataConverter } from './data-converter';
import { explainRefusal } from './explain-refusal';
import type { TemporalAddress, TemporalSecurity } from './temporal-address';

/** Requests are small and the server is near: compressing them costs both sides more than it saves. */
const NO_COMPRESSION = { codec: 'none' } as const;

type Reach = Omit<TemporalAddress, 'namespace'>;
type ConnectionSecurity = Pick<ConnectionOptions, 'tls'> & { readonly apiKey?: string };

/** A client that connects with its first call; calls need a deadline of their own. */
export function createTemporalClient(
  { namespace, ...reach }: TemporalAddress,
  secretKeys: readonly string[],
  tracing?: Tracing,
): Client {
  const dataConverter = createDataConverter(secretKeys, namespace);
  const connection = Connection.lazy({ address: reach.address, ...securityOf(reach) });
  const interceptors = tracing === undefined ? {} : traceCalls(tracing);
  return new Client({ connection, namespace, dataConverter, interceptors });
}

/** For a few calls. Throws what keeps it from connecting, with what to do about it. */
export async function connectForCalls(reach: Reach, deadlineMs: number): Promise<Connection> {
  const options = { address: reach.address, ...securityOf(reach), connectTimeout: deadlineMs };
  return Connection.connect(options).catch((error: unknown) => explain(reach, error));
}

/** Tries until the server answers, with a log line for every failure. */
export function connectWorker(reach: Reach, logger: Logger): Promise<NativeConnection> {
  const { address } = reach;
  return retryUntilUp({ what: whatOf(address), logger }, () =>
    NativeConnection.connect({
      address,
      ...securityOf(reach),
      grpcCompression: NO_COMPRESSION,
    }).catch((error: unknown) => explain(reach, error)),
  );
}

/** Resolves when the server has answered, with a log line for every failure before. */
export async function awaitTemporal(reach: Reach, logger: Logger): Promise<void> {
  const deadlineMs = 5_000;
  await retryUntilUp({ what: whatOf(reach.address), logger }, async () => {
    const connection = await connectForCalls(reach, deadlineMs);
    await connection.close();
  });
}

function whatOf(address: string): string {
  return `the Temporal server at ${address}`;
}

async function explain(reach: Reach, cause: unknown): Promise<never> {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice = await explainRefusal(reach, cause);
  throw new Error(advice === null ? reason : `${advice} (${reason})`, { cause });
}

/** Clients and workers trust the same authorities, whatever the host has installed. */
function securityOf({ tls, apiKey }: TemporalSecurity): ConnectionSecurity {
  const key = apiKey === undefined ? {} : { apiKey };
  if (tls === undefined) return { tls: false, ...key };
  const { serverAuthorities = rootCertificates.join('\n'), serverName, client } = tls;
  return {
    ...key,
    tls: {
      serverRootCACertificate: Buffer.from(serverAuthorities),
      ...(serverName === undefined ? {} : { serverNameOverride: serverName }),
      ...(client === undefined
        ? {}
        : {
            clientCertPair: {
              crt: Buffer.from(client.certificate),
              key: Buffer.from(client.key),
            },
          }),
    },
  };
}

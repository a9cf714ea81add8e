/**
 * Connects to the Temporal server. A client with a lazy connection lets a process start while the server is down. Other
 * connections are for a few calls only. This file must not load the worker's SDK, which uses much memory.
 */
import { rootCertificates } from 'node:tls';
import { Client, Connection, type ConnectionOptions } from '@temporalio/client';
import type { Logger } from '../platform/logger';
import { retryUntilUp } from '../platform/start-role';
import type { Tracing } from '../platform/tracing';
import { traceCalls } from './carry-trace';
import { createDataConverter } from './data-converter';
import { explainRefusal } from './explain-refusal';
import type { TemporalAddress, TemporalSecurity } from './temporal-address';

/** A server, and the credentials for it. */
export type Reach = Omit<TemporalAddress, 'namespace'>;
type ConnectionSecurity = Pick<ConnectionOptions, 'tls'> & { readonly apiKey?: string };

/** The message contains the cause of the failed connection and a remedy. */
class UnreachableServerError extends Error {
  override readonly name = 'UnreachableServerError';
}

/** Creates a client that connects with its first call. Each call needs its own deadline. */
export function createTemporalClient(
  { namespace, ...reach }: TemporalAddress,
  secretKeys: readonly string[],
  tracing?: Tracing,
): Client {
  const dataConverter = createDataConverter(secretKeys, namespace);
  const connection = Connection.lazy({ address: reach.address, ...buildSecurity(reach) });
  const interceptors = tracing === undefined ? {} : traceCalls(tracing);
  return new Client({ connection, namespace, dataConverter, interceptors });
}

/** Connects for a few calls. Throws an error with the cause and a remedy. */
export async function connectForCalls(reach: Reach, deadlineMs: number): Promise<Connection> {
  const options = { address: reach.address, ...buildSecurity(reach), connectTimeout: deadlineMs };
  return Connection.connect(options).catch((error: unknown) => explain(reach, error));
}

/** Resolves when the server has responded. Logs every failure before that. */
export async function awaitTemporal(reach: Reach, logger: Logger): Promise<void> {
  const deadlineMs = 5_000;
  await retryUntilUp({ what: describeServer(reach.address), logger }, async () => {
    const connection = await connectForCalls(reach, deadlineMs);
    await connection.close();
  });
}

/** Describes the server for log lines. */
export function describeServer(address: string): string {
  return `the Temporal server at ${address}`;
}

/** Throws an error with the cause and a remedy. */
export async function explain(reach: Reach, cause: unknown): Promise<never> {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const advice = await explainRefusal(reach, cause);
  throw new UnreachableServerError(advice === null ? reason : `${advice} (${reason})`, { cause });
}

/**
 * Builds the security options of a connection. Clients and workers trust the same certificate authorities, whatever
 * authorities the host has installed.
 */
export function buildSecurity({ tls, apiKey }: TemporalSecurity): ConnectionSecurity {
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

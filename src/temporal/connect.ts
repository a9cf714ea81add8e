/**
 * Connections to the Temporal server: a lazy one for clients, so that a process starts while the
 * server is away, and a patient one for workers. It knows nothing of workflows.
 */
import { Client, Connection } from '@temporalio/client';
import { NativeConnection } from '@temporalio/worker';
import type { Logger } from '../platform/logger';
import { retryUntilUp } from '../platform/start-role';
import { createDataConverter } from './data-converter';

/** Requests are small and the server is near: compressing them costs both sides more than it saves. */
const NO_COMPRESSION = { codec: 'none' } as const;

export interface TemporalAddress {
  readonly address: string;
  readonly namespace: string;
}

/** A client that connects with its first call; calls need a deadline of their own. */
export function createTemporalClient(
  { address, namespace }: TemporalAddress,
  secretKeys: readonly string[],
): Client {
  const dataConverter = createDataConverter(secretKeys, namespace);
  return new Client({ connection: Connection.lazy({ address }), namespace, dataConverter });
}

/** Tries until the server answers, with a log line for every failure. */
export function connectWorker(
  { address }: TemporalAddress,
  logger: Logger,
): Promise<NativeConnection> {
  const what = `the Temporal server at ${address}`;
  return retryUntilUp({ what, logger }, () =>
    NativeConnection.connect({ address, grpcCompression: NO_COMPRESSION }),
  );
}

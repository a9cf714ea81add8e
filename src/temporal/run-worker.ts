/**
 * Connects and runs a worker. The connection is retried until it succeeds. After a shutdown, the run ends when all
 * tasks have ended.
 */
import { NativeConnection, type Worker } from '@temporalio/worker';
import type { Logger } from '../platform/logger';
import { retryUntilUp } from '../platform/start-role';
import { buildSecurity, describeServer, explain, type Reach } from './connect';

/** Compressing small requests costs more than it saves. */
const NO_COMPRESSION = { codec: 'none' } as const;

export interface RunningWorker {
  /** Stops polling and resolves when the tasks in progress have ended. */
  readonly stop: () => Promise<void>;
  /** Resolves when the worker has ended. Rejects if it failed. */
  readonly ended: Promise<void>;
}

/** Connects to the server. Tries until the server responds, with a log line for every failure. */
export function connectWorker(reach: Reach, logger: Logger): Promise<NativeConnection> {
  const { address } = reach;
  return retryUntilUp({ what: describeServer(address), logger }, () =>
    NativeConnection.connect({
      address,
      ...buildSecurity(reach),
      grpcCompression: NO_COMPRESSION,
    }).catch((error: unknown) => explain(reach, error)),
  );
}

/** Starts the worker and logs `ready`. */
export function runWorker(worker: Worker, logger: Logger): RunningWorker {
  const ended = worker.run();
  logger.info('ready');
  const stop = async (): Promise<void> => {
    if (worker.getState() === 'RUNNING') worker.shutdown();
    await ended;
  };
  return { stop, ended };
}

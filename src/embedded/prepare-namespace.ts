/**
 * Makes a Temporal namespace fit for Keepwatch: it exists, keeps closed workflows for 72 h and
 * knows the search attributes. It never lowers or removes anything.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs, tsToMs } from '@temporalio/common/lib/time';

/** The operators' search attributes: name → type, in the CLI's spelling. */
export const SEARCH_ATTRIBUTES = {
  KeepwatchAccount: 'Keyword',
  KeepwatchKind: 'Keyword',
  KeepwatchResource: 'Keyword',
  KeepwatchGroup: 'Keyword',
  KeepwatchState: 'Keyword',
  KeepwatchHealth: 'Keyword',
  KeepwatchTrigger: 'Keyword',
  KeepwatchRegions: 'KeywordList',
} as const;

const INDEXED_VALUE_TYPES = { Keyword: 2, KeywordList: 7 } as const;
const RETENTION_MS = 72 * 60 * 60 * 1000;
const GRPC_NOT_FOUND = 5;
const DEADLINE_MS = 15_000;
const RETRY_EVERY_MS = 200;

function isNotFound(error: unknown): boolean {
  return isGrpcServiceError(error) && error.code === GRPC_NOT_FOUND;
}

async function keepLongEnough(connection: Connection, namespace: string): Promise<void> {
  const { workflowService } = connection;
  try {
    const { config } = await workflowService.describeNamespace({ namespace });
    if (tsToMs(config?.workflowExecutionRetentionTtl) >= RETENTION_MS) return;
    await workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: msToTs(RETENTION_MS) },
    });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    await workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs(RETENTION_MS),
    });
  }
}

/** A namespace that was just made takes some seconds to be known to the whole server. */
async function readAttributes(connection: Connection, namespace: string) {
  const giveUpAt = Date.now() + DEADLINE_MS;
  for (;;) {
    try {
      return await connection.operatorService.listSearchAttributes({ namespace });
    } catch (error) {
      if (!isNotFound(error) || Date.now() > giveUpAt) throw error;
    }
    await sleep(RETRY_EVERY_MS);
  }
}

async function addSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const { operatorService } = connection;
  const { customAttributes } = await readAttributes(connection, namespace);
  const missing = Object.entries(SEARCH_ATTRIBUTES).filter(
    ([name]) => !(name in (customAttributes ?? {})),
  );
  if (missing.length === 0) return;
  await operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(
      missing.map(([name, type]) => [name, INDEXED_VALUE_TYPES[type]]),
    ),
  });
}

/** Idempotent; makes the namespace when it is missing. Throws when the server refuses or is away. */
export async function prepareNamespace(address: string, namespace: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: DEADLINE_MS });
  try {
    await connection.withDeadline(Date.now() + DEADLINE_MS, async () => {
      await keepLongEnough(connection, namespace);
      await addSearchAttributes(connection, namespace);
    });
  } finally {
    await connection.close();
  }
}

/**
 * Prepares a Temporal namespace for Keepwatch: creates it with a retention of 26 h, and adds the search attributes.
 * Keeps a longer retention, except the 72 h that earlier versions set.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, isGrpcServiceError } from '@temporalio/client';
import { msToTs, tsToMs } from '@temporalio/common/lib/time';
import { SEARCH_ATTRIBUTE_TYPES } from '../contracts/search-attributes';
import { connectForCalls } from '../temporal/connect';
import { requireServerVersion } from '../temporal/server-version';
import type { TemporalSecurity } from '../temporal/temporal-address';

const INDEXED_VALUE_TYPES = { Keyword: 2, KeywordList: 7 } as const;
const HOUR_MS = 60 * 60 * 1000;
/**
 * For how many milliseconds closed workflows are kept. Alerts are retried for a day, and their workflows must be kept
 * for that time.
 */
const RETENTION_MS = 26 * HOUR_MS;
/** The retention that earlier versions set. It is replaced, because it uses three times the disk space. */
const FORMER_RETENTION_MS = 72 * HOUR_MS;
const GRPC_NOT_FOUND = 5;
const GRPC_ALREADY_EXISTS = 6;
const DEADLINE_MS = 15_000;
const RETRY_EVERY_MS = 200;

function hasStatus(error: unknown, status: number): boolean {
  return isGrpcServiceError(error) && error.code === status;
}

/** Creates the namespace. Succeeds if another process creates the namespace at the same time. */
async function registerNamespace(connection: Connection, namespace: string): Promise<void> {
  const workflowExecutionRetentionPeriod = msToTs(RETENTION_MS);
  try {
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod,
    });
  } catch (error) {
    if (!hasStatus(error, GRPC_ALREADY_EXISTS)) throw error;
  }
}

async function ensureRetention(connection: Connection, namespace: string): Promise<void> {
  const { workflowService } = connection;
  try {
    const { config } = await workflowService.describeNamespace({ namespace });
    const keptMs = tsToMs(config?.workflowExecutionRetentionTtl);
    if (keptMs >= RETENTION_MS && keptMs !== FORMER_RETENTION_MS) return;
    await workflowService.updateNamespace({
      namespace,
      config: { workflowExecutionRetentionTtl: msToTs(RETENTION_MS) },
    });
  } catch (error) {
    if (!hasStatus(error, GRPC_NOT_FOUND)) throw error;
    await registerNamespace(connection, namespace);
  }
}

/**
 * Reads the search attributes. Retries, because the operator service may see a new namespace a little later than the
 * workflow service.
 */
async function readAttributes(connection: Connection, namespace: string): Promise<object> {
  const until = Date.now() + DEADLINE_MS;
  for (;;) {
    try {
      const response = await connection.operatorService.listSearchAttributes({ namespace });
      return response.customAttributes ?? {};
    } catch (error) {
      if (!hasStatus(error, GRPC_NOT_FOUND) || Date.now() > until) throw error;
    }
    await sleep(RETRY_EVERY_MS);
  }
}

async function addSearchAttributes(connection: Connection, namespace: string): Promise<void> {
  const known = await readAttributes(connection, namespace);
  const missing = Object.entries(SEARCH_ATTRIBUTE_TYPES).filter(([name]) => !(name in known));
  if (missing.length === 0) return;
  await connection.operatorService.addSearchAttributes({
    namespace,
    searchAttributes: Object.fromEntries(
      missing.map(([name, type]) => [name, INDEXED_VALUE_TYPES[type]]),
    ),
  });
}

/**
 * Creates the namespace if it is missing, and adds the search attributes. Idempotent. Throws if the server refuses, is
 * unreachable, or is too old.
 */
export async function prepareNamespace(
  address: string,
  namespace: string,
  security: TemporalSecurity = {},
): Promise<void> {
  const connection = await connectForCalls({ address, ...security }, DEADLINE_MS);
  try {
    await connection.withDeadline(Date.now() + DEADLINE_MS, async () => {
      await requireServerVersion(connection.workflowService);
      await ensureRetention(connection, namespace);
      await addSearchAttributes(connection, namespace);
    });
  } finally {
    await connection.close();
  }
}

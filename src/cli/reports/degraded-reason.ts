/**
 * Finds out why a check is degraded. The list of checks contains reasons only for open incidents, and most degraded
 * checks have no incident.
 */
import { z } from 'zod';
import { describeSlowness } from '../../domain/alerting/degraded-cause';
import { CliError } from '../cli-error';
import type { Client } from '../client';
import { type Check, type Result, type Run, resultShape, runShape } from '../shapes';

/** Maximum number of results that are read. It is enough for the latest result of each region. */
const LATEST_MAX = 50;

const ofResults = z.looseObject({ data: z.array(resultShape) });
const ofRuns = z.looseObject({ data: z.array(runShape) });

/**
 * Returns a sentence. null means that the check is not degraded, or that its latest results do not explain it. Reads
 * results only if the check itself does not contain the reason.
 */
export async function findDegradedReason(client: Client, check: Check): Promise<string | null> {
  if (check.status !== 'degraded') return null;
  if (check.type === 'monitor' && check.url === '') return 'The ping is late.';
  const slow = describeExcess(check.lastResponseTimeMs, check.degradedAboveMs);
  if (slow !== null) return slow;
  try {
    return await readReason(client, check);
  } catch (error) {
    // The check may have been deleted in the meantime.
    if (error instanceof CliError && error.code === 'not_found') return null;
    throw error;
  }
}

async function readReason(client: Client, check: Check): Promise<string | null> {
  const path = `v1/${check.type}s/${check.id}/results`;
  const query = { limit: String(LATEST_MAX) };
  if (check.type === 'scenario') {
    const { data } = await client.call(path, ofRuns, { query });
    const run = data.find(({ status }) => status === 'degraded');
    return run === undefined ? null : describeDegradedRun(run);
  }
  const { data } = await client.call(path, ofResults, { query });
  const latest = [...new Map(data.toReversed().map((result) => [result.region, result])).values()];
  // A check is also degraded if regions report down, but fewer than the quorum.
  const result =
    latest.find(({ status }) => status === 'degraded') ??
    latest.find(({ status }) => status === 'down');
  if (result === undefined) return null;
  const reason = describeResult(result, check.degradedAboveMs);
  return reason === null || result.status !== 'down' ? reason : `In ${result.region}: ${reason}`;
}

/** Says why a result is down or degraded. null means that the result does not contain a reason. */
export function describeResult(
  { status, assertions, failure, responseTimeMs }: Result,
  limitMs: number | null | undefined,
): string | null {
  if (status === 'down') return failure?.message ?? null;
  return findFault({ assertions, failure }) ?? describeExcess(responseTimeMs, limitMs);
}

/** Says which step made a run degraded. */
export function describeDegradedRun({ steps }: Run): string {
  for (const step of steps) {
    const fault = findFault(step);
    if (fault !== null) return `${step.name}: ${fault}`;
  }
  return 'A step was slow.';
}

function findFault({ assertions, failure }: Pick<Result, 'assertions' | 'failure'>): string | null {
  const broken = assertions?.find(({ ok }) => !ok);
  return broken?.message ?? failure?.message ?? null;
}

function describeExcess(
  ms: number | null | undefined,
  limitMs: number | null | undefined,
): string | null {
  return ms == null || limitMs == null || ms <= limitMs ? null : describeSlowness(ms, limitMs);
}

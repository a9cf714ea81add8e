/** Examines the database, Temporal and the API: whether they respond, their versions and clocks. */
import { type Database, type DatabaseFacts, describeServer } from '../models';
import type { TemporalFacts, TemporalView } from '../temporal/describe-temporal';
import { findVersionProblem } from '../temporal/server-version';
import { examined, type Finding, failed, formatReason, ok, warning } from './finding';

const UPGRADE_TEMPORAL =
  'Upgrade it one minor version at a time, as its release notes say. Checks wait until then.';
const DEADLINE_MS = 4_000;
const MONGODB_MAJOR_MIN = 7;
const SKEW_WARNING_MS = 1_000;
const SKEW_FAILED_MS = 30_000;

export function examineDatabase(database: Database): Promise<readonly Finding[]> {
  return examined('database', async () => {
    const facts = await describeServer(database);
    return [judgeDatabase(facts), judgeClock(facts.clockAheadMs)];
  });
}

export function judgeDatabase({ version, isEmbedded }: DatabaseFacts): Finding {
  const says = isEmbedded ? 'the embedded database' : `MongoDB ${version}`;
  if (isEmbedded || Number.parseInt(version, 10) >= MONGODB_MAJOR_MIN) return ok('database', says);
  return failed('database', says, `Upgrade to MongoDB ${MONGODB_MAJOR_MIN}.0 or newer.`);
}

export function judgeClock(aheadMs: number): Finding {
  const skewMs = Math.abs(aheadMs);
  const says = `the database's clock is ${skewMs} ms ${aheadMs < 0 ? 'behind' : 'ahead of'} this host's`;
  const advice =
    'Synchronize the clock of every host with NTP. Otherwise slots and results do not match.';
  if (skewMs > SKEW_FAILED_MS) return failed('clock', says, advice);
  if (skewMs > SKEW_WARNING_MS) return warning('clock', says, advice);
  return ok('clock', says);
}

export async function examineTemporal(temporal: TemporalView): Promise<Finding> {
  try {
    return judgeTemporal(await temporal.describe(), temporal.namespace);
  } catch (error) {
    const found = await temporal.explain(error);
    const advice =
      'Start it, or correct TEMPORAL_ADDRESS. No check is lost: each continues where it stopped.';
    const says = `${temporal.address}: ${formatReason(error)}`;
    return failed('Temporal', says, found === null ? advice : `Problem: ${found}.`);
  }
}

export function judgeTemporal(
  { version, hasNamespace, pushProblem }: TemporalFacts,
  namespace: string,
): Finding {
  const problem = findVersionProblem(version);
  if (problem !== null) return failed('Temporal', problem, UPGRADE_TEMPORAL);
  if (!hasNamespace) {
    const says = `${version}, without the namespace ${namespace}`;
    return failed('Temporal', says, 'Create the namespace, or correct TEMPORAL_NAMESPACE.');
  }
  if (pushProblem !== null)
    return warning('Temporal', `${version}: ${pushProblem.says}`, pushProblem.advice);
  return ok('Temporal', `${version}, namespace ${namespace}`);
}

export async function examineApi(url: string): Promise<Finding> {
  try {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(DEADLINE_MS) });
    const body = await response.text();
    if (response.ok) return ok('API', `ready at ${url}`);
    return failed('API', `${url} is not ready: ${body}`, 'Its log says what it is waiting for.');
  } catch (error) {
    // The API may run on another host, so the doctor only advises to start it.
    const advice = 'Start it. If it runs on another host, request its /readyz there.';
    return warning('API', `nothing responds at ${url}: ${formatReason(error)}`, advice);
  }
}

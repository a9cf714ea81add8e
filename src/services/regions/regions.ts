/** Lists the regions, finds those with a running probe, and checks the regions in a body. */
import { PROBE_HELLO_EVERY_MS, type ProbeHello } from '../../contracts/probe-protocol';
import { probeQueue } from '../../contracts/workflows';
import { isId } from '../../domain/definitions/ids';
import type { Region } from '../../models/operations/regions';
import type { Resource } from '../../models/resources/resource';
import { AppError, type FieldProblem } from '../../platform/errors';
import type { RegionResponse } from '../../schemas/responses/regions';
import { toInstantOrNull } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import type { WorkflowGateway } from '../ports/gateway';

/** Maximum number of probes that use the same key at once. */
const IDENTITIES_MAX = 20;
/** How long a probe counts as online after its last report. A probe may miss two reports in a row. */
const SILENT_AFTER_MS = 3 * PROBE_HELLO_EVERY_MS;
const BACKLOG_DEADLINE_MS = 1_500;

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'configuredRegions'>;

/** Lists every region that is configured or from which a probe has ever reported, sorted by name. */
export async function listRegions(needs: Needs): Promise<readonly RegionResponse[]> {
  const { stores, clock, configuredRegions } = needs;
  const regions = await stores.regions.list();
  const seenOf = new Map(regions.map((seen) => [seen.region, seen]));
  const names = [...new Set([...configuredRegions, ...seenOf.keys()])].sort();
  return names.map((name) => presentRegion(name, seenOf.get(name), clock.now()));
}

/**
 * Like listRegions, with the number of tasks that wait for each region's workers. The number is null if Temporal does
 * not respond.
 */
export async function listRegionsWithBacklog(
  needs: Needs & { readonly gateway: Pick<WorkflowGateway, 'readBacklogs'> },
): Promise<readonly RegionResponse[]> {
  const regions = await listRegions(needs);
  const backlogs = await needs.gateway
    .readBacklogs(
      regions.map(({ id }) => probeQueue(id)),
      BACKLOG_DEADLINE_MS,
    )
    .catch(() => null);
  return regions.map((region) => {
    const found = backlogs?.find(({ queue }) => queue === probeQueue(region.id));
    return {
      ...region,
      backlog: found === undefined ? null : { checks: found.tasks, oldestMs: found.oldestMs },
    };
  });
}

/** Adds to each region how much the checks of the account use it. */
export async function addLoads(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  regions: readonly RegionResponse[],
): Promise<readonly RegionResponse[]> {
  const loads = await stores.regionLoads.find(accountId);
  return regions.map((region) => {
    const own = loads.get(region.id);
    const load = {
      checksPerMinute: roundRate(own?.checksPerMinute ?? 0),
      lastCheckedAt: toInstantOrNull(own?.lastCheckedAtMs ?? null),
    };
    return { ...region, load };
  });
}

/** Rounds to four decimals. With fewer decimals, one check a week would be 0. */
function roundRate(perMinute: number): number {
  return Math.round(perMinute * 10_000) / 10_000;
}

/** Returns the names of regions that a definition may use. */
export async function listKnownRegions(needs: Needs): Promise<readonly string[]> {
  return (await listRegions(needs)).map(({ id }) => id);
}

/**
 * Returns the default regions of a new resource: regions with a running probe, and configured regions. Configured
 * regions are included because no probe may be running yet.
 */
async function defaultRegions(needs: Needs): Promise<readonly string[]> {
  const regions = await listRegions(needs);
  const configured = new Set(needs.configuredRegions);
  return regions
    .filter(({ id, status }) => status === 'online' || configured.has(id))
    .map(({ id }) => id);
}

function presentRegion(id: string, seen: Region | undefined, nowMs: number): RegionResponse {
  if (seen === undefined)
    return {
      id,
      status: 'offline',
      workers: 0,
      lastSeenAt: null,
      releases: [],
      probes: [],
      networkSuspectSince: null,
    };
  const workers = seen.identities.filter(
    // A report from far in the future is ignored, because it was recorded before the clock was set back.
    ({ lastSeenAtMs }) => Math.abs(nowMs - lastSeenAtMs) <= SILENT_AFTER_MS,
  );
  return {
    id,
    status: workers.length > 0 ? 'online' : 'offline',
    workers: workers.length,
    lastSeenAt: new Date(Math.min(nowMs, seen.lastSeenAtMs)).toISOString(),
    releases: [...new Set(workers.flatMap(({ release }) => release ?? []))].sort(),
    probes: workers.map((worker) => presentProbe(worker, nowMs)),
    networkSuspectSince: suspectSince(workers),
  };
}

function presentProbe(
  { keyId, release, lastSeenAtMs }: Region['identities'][number],
  nowMs: number,
): RegionResponse['probes'][number] {
  return {
    keyId: keyId !== null && isId('probeKey', keyId) ? keyId : null,
    release,
    lastSeenAt: new Date(Math.min(nowMs, lastSeenAtMs)).toISOString(),
  };
}

/**
 * Returns the time since which all workers of the region have reported that their network is suspect. null if at least
 * one worker does not report this.
 */
function suspectSince(workers: Region['identities']): string | null {
  const sinces = workers.map(({ networkSuspectSinceMs }) => networkSuspectSinceMs);
  const known = sinces.filter((sinceMs) => sinceMs !== null);
  if (known.length === 0 || known.length < sinces.length) return null;
  return new Date(Math.max(...known)).toISOString();
}

/** Returns only the given region. Without a region, returns all regions that may have results of the resource. */
export async function listRegionsWithResults(
  needs: Needs,
  resource: Resource,
  region: string | undefined,
): Promise<readonly string[]> {
  if (region !== undefined) return [region];
  return [...new Set([...resource.regions, ...(await listKnownRegions(needs))])].sort();
}

export interface ResolvedRegions {
  readonly names: readonly string[];
  readonly known: readonly string[];
}

export async function resolveRegions(
  needs: Needs,
  named: readonly string[] | null,
): Promise<ResolvedRegions> {
  if (named === null) {
    const names = await defaultRegions(needs);
    return { names, known: names };
  }
  return { names: named, known: await listKnownRegions(needs) };
}

/** Returns a problem at `regions[i]` for each unknown name. Names that are already stored are accepted. */
export function findUnknownRegions(
  { names, known }: ResolvedRegions,
  stored: readonly string[] = [],
): readonly FieldProblem[] {
  return names.flatMap((name, index) =>
    known.includes(name) || stored.includes(name)
      ? []
      : [
          {
            path: `regions[${index}]`,
            code: 'unknown_region',
            message: `is not a region; known regions are ${known.join(', ')}`,
          },
        ],
  );
}

export async function recordHello(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  {
    region,
    identity,
    keyId,
    networkSuspectSinceMs = null,
    release,
  }: ProbeHello & { readonly keyId: string },
): Promise<void> {
  const nowMs = clock.now();
  const sinceMs = nowMs - SILENT_AFTER_MS;
  const others = await stores.regions.countOthers(identity, { region, keyId }, sinceMs);
  if (others >= IDENTITIES_MAX)
    throw new AppError(
      'limit_reached',
      `A probe key may be used by at most ${IDENTITIES_MAX} probes at a time. Create another key.`,
    );
  await stores.regions.hello(region, identity, nowMs);
  await stores.regions.noteFacts(region, identity, {
    networkSuspectSinceMs,
    release: release ?? null,
    keyId,
  });
}

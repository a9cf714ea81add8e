/**
 * Lists monitors and scenarios as rows of a table, without definitions but with the current failure. Figures and recent
 * slots are optional.
 */
import { z } from 'zod';
import { HEARTBEAT_REGION } from '../../contracts/heartbeat';
import { findSlowestResponseMs } from '../../domain/health/health';
import { computeAvailability } from '../../domain/health/timeline';
import type { Incident } from '../../models/alerting/incidents';
import type { StoredStatus } from '../../models/results/statuses';
import type { ListedCheck } from '../../schemas/responses/overview';
import { decodeCursor, encodeCursor } from '../lists/cursor';
import { toInstant, toInstantOrNull } from '../lists/instants';
import type { ListPage } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';
import { round } from '../resources/present-uptime';
import { findRecentSlots } from '../resources/recent-slots';
import { presentService } from '../resources/service-fields';
import { type Checked, type CheckFigures, computeP95, type FindFigures } from './check-figures';
import type { CheckSource, CheckType, FoundCheck, SourceRequest } from './check-source';

export interface CheckListRequest extends SourceRequest {
  readonly type?: CheckType | undefined;
  readonly include?: readonly ('recent' | 'figures')[] | undefined;
}

interface Tools {
  readonly sources: readonly CheckSource[];
  readonly findFigures: FindFigures;
}

const POSITION = z.tuple([z.string(), z.string()]);
/** The time limit for reading figures. It leaves enough time for the rest of the request, which must end within 3 s. */
const FIGURES_READ_FOR_MS = 1_500;
/** Maximum number of open incidents that are read to show their causes. */
const OPEN_MAX = 1_000;

/**
 * Lists checks by type. Within a type, the newest checks come first. Pages stay stable while new checks are added. A
 * cursor never leads to an empty page.
 */
export async function listChecks(
  needs: Dependencies,
  tools: Tools,
  { limit, cursor, type, include = [], ...filters }: CheckListRequest,
): Promise<ListPage<ListedCheck>> {
  const { accountId } = filters;
  const scope = { ...filters, list: 'checks', type };
  const sources = tools.sources.filter((source) => type === undefined || source.type === type);
  const [from = sources[0]?.type, inner = ''] = decodeCursor(scope, cursor, POSITION) ?? [];
  const checks: FoundCheck[] = [];
  let nextCursor: string | null = null;
  let within: string | undefined = inner === '' ? undefined : inner;
  for (const source of sources.slice(sources.findIndex((one) => one.type === from))) {
    if (checks.length === limit) {
      const next = await source.page({ ...filters, limit: 1 });
      if (next.checks.length === 0) continue;
      nextCursor = encodeCursor(scope, [source.type, '']);
      break;
    }
    const page = await source.page({ ...filters, limit: limit - checks.length, cursor: within });
    checks.push(...page.checks);
    within = undefined;
    if (page.nextCursor === null) continue;
    nextCursor = encodeCursor(scope, [source.type, page.nextCursor]);
    break;
  }
  const [incidents, figures, recent] = await Promise.all([
    findIncidents(needs, accountId, checks),
    include.includes('figures') ? tools.findFigures(accountId, checks, FIGURES_READ_FOR_MS) : null,
    include.includes('recent') ? findRecent(needs, checks) : null,
  ]);
  const data = checks.map((check) => {
    const { id } = check.resource;
    const found = figures?.get(id);
    return {
      ...presentCheck(needs, check, incidents.get(id) ?? null),
      ...(found !== undefined && { figures: presentFigures(found) }),
      ...(recent !== null && { recent: recent.get(id) ?? [] }),
    };
  });
  return { data, nextCursor };
}

function findRecent(needs: Dependencies, checks: readonly Checked[]) {
  const statusOf = new Map(
    checks.flatMap(({ status }) => (status === null ? [] : [[status.id, status] as const])),
  );
  return findRecentSlots(
    needs,
    checks.map(({ resource }) => resource),
    statusOf,
  );
}

/** Returns the open incidents by resource. Reads nothing if no check has an open incident. */
async function findIncidents(
  { stores }: Dependencies,
  accountId: string,
  checks: readonly { readonly status: StoredStatus | null }[],
): Promise<ReadonlyMap<string, Incident>> {
  if (checks.every(({ status }) => (status?.currentIncidentId ?? null) === null)) return new Map();
  const query = { resourceId: null, state: 'unresolved', limit: OPEN_MAX, beforeId: null } as const;
  const { items } = await stores.incidents.page(accountId, query);
  return new Map(items.toReversed().map((incident) => [incident.resourceId, incident]));
}

function presentCheck(
  needs: Dependencies,
  { type, resource, status, sends }: FoundCheck,
  incident: Incident | null,
): ListedCheck {
  const service = presentService(needs, resource, { status, type, workflowId: '' });
  return {
    type,
    id: resource.id,
    name: resource.name,
    key: resource.key,
    ...sends,
    interval: resource.intervalSeconds,
    regions: resource.regions.filter((region) => region !== HEARTBEAT_REGION),
    tags: resource.tags,
    alerts: resource.alerts,
    groupKey: resource.groupKey,
    state: service.state,
    status: service.status,
    healthSince: service.healthSince,
    pausedUntil: service.pausedUntil,
    pauseReason: service.pauseReason,
    lastCheckedAt: service.lastCheckedAt,
    lastResponseTimeMs: findSlowestResponseMs(status?.regionsHealth ?? []),
    tlsExpiresAt: status?.tlsExpiresAt ?? null,
    currentIncidentId: service.currentIncidentId,
    failure: incident === null ? null : presentFailure(incident),
  };
}

function presentFailure(incident: Incident): ListedCheck['failure'] {
  return {
    code: incident.cause?.code ?? null,
    message: incident.cause?.message ?? null,
    since: toInstant(incident.openedAtMs),
    acknowledgedAt: toInstantOrNull(incident.acknowledgedAtMs),
    acknowledgedBy: incident.acknowledgedBy,
  };
}

function presentFigures({ time, latency, hourlyP95Ms }: CheckFigures): ListedCheck['figures'] {
  const { day, week, month } = time;
  return {
    uptime: {
      '24h': computeAvailability(day),
      '7d': computeAvailability(week),
      '30d': computeAvailability(month),
    },
    p95Ms: rounded(computeP95(latency.day)),
    hourlyP95Ms: hourlyP95Ms.map(rounded),
  };
}

function rounded(ms: number | null): number | null {
  return ms === null ? null : round(ms, 1);
}

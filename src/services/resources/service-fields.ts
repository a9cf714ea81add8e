/** The part of an answer that monitors and scenarios share (docs/api.md). */
import type { NamedValue } from '../../contracts/definition';
import type { Health, RegionHealth } from '../../contracts/records';
import type { Resource } from '../../models/resources/resource';
import type { StoredStatus } from '../../models/results/statuses';
import { toInstant, toInstantOrNull } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { pauseOf } from './pause-state';

interface RegionHealthAnswer {
  readonly health: Health;
  readonly since: string;
  readonly lastResponseTimeMs: number | null;
}

export interface ServiceFields {
  readonly version: number;
  readonly state: 'active' | 'paused' | 'deleting';
  readonly health: Health;
  readonly healthSince: string;
  /** paused, else maintenance, else health. */
  readonly status: 'paused' | 'maintenance' | Health;
  readonly groupKey: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly pausedAt: string | null;
  readonly pausedUntil: string | null;
  readonly pauseReason: string | null;
  readonly lastCheckedAt: string | null;
  readonly nextCheckAt: string | null;
  readonly regionsHealth: Readonly<Record<string, RegionHealthAnswer>>;
  readonly currentIncidentId: string | null;
  readonly links: {
    readonly temporal: { readonly workflowId: string; readonly url: string | null };
  };
}

/** Names of the fields above and of those that only monitors or scenarios have beside them. */
export const SERVICE_FIELD_NAMES = [
  'version',
  'state',
  'health',
  'healthSince',
  'status',
  'groupKey',
  'createdAt',
  'updatedAt',
  'pausedAt',
  'pausedUntil',
  'pauseReason',
  'lastCheckedAt',
  'nextCheckAt',
  'regionsHealth',
  'currentIncidentId',
  'links',
] as const satisfies readonly (keyof ServiceFields)[];

type Needs = Pick<Dependencies, 'clock' | 'workflowUrl'>;

/** Without a status, nothing has been checked yet. */
export function presentService(
  { clock, workflowUrl }: Needs,
  row: Resource,
  { status, workflowId }: { readonly status: StoredStatus | null; readonly workflowId: string },
): ServiceFields {
  const pause = pauseOf(row, clock.now());
  const health = status?.health ?? 'pending';
  return {
    version: row.version,
    state: stateOf(row, pause.isPaused),
    health,
    healthSince: toInstant(status?.healthSinceMs ?? row.createdAtMs),
    status: statusOf(pause.isPaused, status),
    groupKey: row.groupKey,
    createdAt: toInstant(row.createdAtMs),
    updatedAt: toInstant(row.updatedAtMs),
    pausedAt: toInstantOrNull(pause.pausedAtMs),
    pausedUntil: toInstantOrNull(pause.pausedUntilMs),
    pauseReason: pause.reason,
    lastCheckedAt: toInstantOrNull(status?.lastCheckedAtMs ?? null),
    nextCheckAt: pause.isPaused ? null : toInstantOrNull(status?.nextSlotMs ?? row.anchorMs),
    regionsHealth: presentRegions(status?.regionsHealth ?? []),
    currentIncidentId: status?.currentIncidentId ?? null,
    links: { temporal: { workflowId, url: workflowUrl(workflowId) } },
  };
}

/** Name → value; names that an object gives a meaning to stay plain fields. */
export function toRecord(values: readonly NamedValue[]): Record<string, string> {
  return Object.fromEntries(values.map(({ name, value }) => [name, value]));
}

function statusOf(isPaused: boolean, status: StoredStatus | null): ServiceFields['status'] {
  if (isPaused) return 'paused';
  return status?.inMaintenance === true ? 'maintenance' : (status?.health ?? 'pending');
}

function stateOf(row: Resource, isPaused: boolean): ServiceFields['state'] {
  if (row.state === 'deleting') return 'deleting';
  return isPaused ? 'paused' : 'active';
}

function presentRegions(
  regions: readonly RegionHealth[],
): Readonly<Record<string, RegionHealthAnswer>> {
  return Object.fromEntries(
    regions.map(({ region, health, sinceMs, lastResponseTimeMs }) => [
      region,
      { health, since: toInstant(sinceMs), lastResponseTimeMs },
    ]),
  );
}

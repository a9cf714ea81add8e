/** Builds the part of a response that monitors and scenarios share (docs/api.md). */
import type { NamedValue, RequestBody, StepDefinition } from '../../contracts/definition';
import type { RegionHealth } from '../../contracts/records';
import { NOTHING_INHERITED } from '../../domain/definitions/inherit';
import { findOrigins } from '../../domain/definitions/layers';
import { pickTls } from '../../domain/definitions/tls';
import type { Resource } from '../../models/resources/resource';
import type { StoredStatus } from '../../models/results/statuses';
import { listInheritableNames } from '../../schemas/profiles/profile-fields';
import { type ServiceFields, serviceFields } from '../../schemas/responses/resources';
import type { HttpStepResponse } from '../../schemas/responses/scenarios';
import { toInstant, toInstantOrNull } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { readPause } from './pause';

/** Fields of the response that a body cannot have. */
export const SERVICE_FIELD_NAMES: readonly string[] = Object.keys(serviceFields);

type Needs = Pick<Dependencies, 'clock' | 'workflowUrl'>;

interface Presented {
  /** The status. null means that nothing has been checked yet. */
  readonly status: StoredStatus | null;
  /** The type of the monitor, or `scenario`. */
  readonly type: string;
  readonly workflowId: string;
}

export function presentService(
  { clock, workflowUrl }: Needs,
  resource: Resource,
  { status, type, workflowId }: Presented,
): ServiceFields {
  const pause = readPause(resource, clock.now());
  const health = status?.health ?? 'pending';
  return {
    version: resource.version,
    state: findState(resource, pause.isPaused),
    health,
    healthSince: toInstant(status?.healthSinceMs ?? resource.createdAtMs),
    status: findStatus(pause.isPaused, status),
    groupKey: resource.groupKey,
    createdAt: toInstant(resource.createdAtMs),
    updatedAt: toInstant(resource.updatedAtMs),
    pausedAt: toInstantOrNull(pause.pausedAtMs),
    pausedUntil: toInstantOrNull(pause.pausedUntilMs),
    pauseReason: pause.reason,
    lastCheckedAt: toInstantOrNull(status?.lastCheckedAtMs ?? null),
    nextCheckAt: pause.isPaused ? null : toInstantOrNull(status?.nextSlotMs ?? resource.anchorMs),
    regionsHealth: presentRegions(status?.regionsHealth ?? []),
    currentIncidentId: status?.currentIncidentId ?? null,
    links: { temporal: { workflowId, url: workflowUrl(workflowId) } },
    origin: presentOrigin(type, resource),
  };
}

function presentOrigin(
  type: string,
  { profile: key, own = [], fromProfile = [] }: Resource,
): ServiceFields['origin'] {
  if (key === undefined) return null;
  return findOrigins(listInheritableNames(type), { key, own, inherited: fromProfile });
}

/** Converts a list to a map of names to values. Names such as `__proto__` become ordinary fields. */
export function toRecord(values: readonly NamedValue[]): Record<string, string> {
  return Object.fromEntries(values.map(({ name, value }) => [name, value]));
}

/**
 * Returns the environment, and the variables and secrets that the definition inherits from the environment and the
 * account.
 */
export function presentInherited({ environment, inherited }: Resource) {
  const { variables, secrets } = inherited ?? NOTHING_INHERITED;
  const named = secrets.map(({ alias, name }) => [alias, name] as const);
  return {
    environment: environment ?? null,
    inherited: { variables: toRecord(variables), secrets: Object.fromEntries(named) },
  };
}

function findStatus(isPaused: boolean, status: StoredStatus | null): ServiceFields['status'] {
  if (isPaused) return 'paused';
  return status?.inMaintenance === true ? 'maintenance' : (status?.health ?? 'pending');
}

function findState(resource: Resource, isPaused: boolean): ServiceFields['state'] {
  if (resource.state === 'deleting') return 'deleting';
  return isPaused ? 'paused' : 'active';
}

function presentRegions(regions: readonly RegionHealth[]): ServiceFields['regionsHealth'] {
  return Object.fromEntries(
    regions.map(({ region, health, sinceMs, lastResponseTimeMs }) => [
      region,
      { health, since: toInstant(sinceMs), lastResponseTimeMs },
    ]),
  );
}

/** Omits options that are not set. They must stay unset when a client sends the response back. */
export function presentTls({ tls = {}, tlsWarnDays }: StepDefinition): HttpStepResponse['tls'] {
  return { ...pickTls(tls), warnDays: tlsWarnDays };
}

export function presentBody({
  body,
  form,
  multipart,
  graphql,
}: RequestBody): Pick<HttpStepResponse, keyof RequestBody> {
  return {
    body,
    form: form === null || form === undefined ? null : toRecord(form),
    multipart: multipart ?? null,
    graphql: graphql ?? null,
  };
}

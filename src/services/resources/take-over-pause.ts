/**
 * Records in the database that an operator paused or resumed a workflow directly in Temporal. A later change through
 * the API takes precedence.
 */
import type { OperatorChangeOutcome } from '../../contracts/activities';
import type { OperatorChange, OperatorChangeRecord } from '../../contracts/records';
import type { Monitor } from '../../models/resources/monitors';
import type { Resource, ResourceStore } from '../../models/resources/resource';
import type { Scenario } from '../../models/resources/scenarios';
import { pauseNow, resumeChange } from './pause';

const SUPERSEDED: OperatorChangeOutcome = { gone: false, version: null };

type StoreOf<Entity extends Resource> = Pick<ResourceStore<Entity>, 'find' | 'replace'>;

interface Stores {
  readonly monitors: StoreOf<Monitor>;
  readonly scenarios: StoreOf<Scenario>;
}

/** Records the change. Idempotent: a repeated call finds the write of the first call by its time. */
export async function takeOverPause(
  { monitors, scenarios }: Stores,
  record: OperatorChangeRecord,
): Promise<OperatorChangeOutcome> {
  return record.kind === 'monitor' ? write(monitors, record) : write(scenarios, record);
}

async function write<Entity extends Resource>(
  store: StoreOf<Entity>,
  { accountId, id, version, change }: OperatorChangeRecord,
): Promise<OperatorChangeOutcome> {
  const resource = await store.find(accountId, id);
  if (resource === null) return { gone: true, version: null };
  const next = { ...changed(resource, change), version: version + 1, updatedAtMs: change.atMs };
  if (resource.version === next.version && resource.updatedAtMs === change.atMs)
    return { gone: false, version: next.version };
  if (resource.version !== version || resource.state === 'deleting') return SUPERSEDED;
  const isWritten = await store.replace(accountId, next, version);
  return isWritten ? { gone: false, version: next.version } : SUPERSEDED;
}

function changed<Entity extends Resource>(
  resource: Entity,
  { paused, reason, atMs }: OperatorChange,
): Entity {
  if (!paused) return resumeChange(resource, atMs);
  return { ...pauseNow(resource, { reason: reason ?? undefined }, atMs), pausedUntilMs: null };
}

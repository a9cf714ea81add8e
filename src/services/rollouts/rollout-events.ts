/**
 * Audit events of rollouts. An event always has the same id, so that it is stored only once even if it is recorded
 * twice.
 */
import { createHash } from 'node:crypto';
import { toStoredChange } from '../../domain/accounts/audit-change';
import { buildId } from '../../domain/definitions/ids';
import type { AuditEvent } from '../../models/accounts/audit';
import type { Rollout } from '../../models/rollouts/rollouts';
import type { Dependencies } from '../ports/dependencies';
import { presentChange } from './present-rollout';

const ID_BYTES = 10;

interface Happened extends Pick<AuditEvent, 'action' | 'resourceType' | 'resourceId' | 'atMs'> {
  /** A text that distinguishes events of the same action and resource in a rollout. */
  readonly mark: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Creates an event. The actor is the person who started the rollout. The request id is the id of the rollout. */
export function createEvent(
  { id: rolloutId, accountId, actor }: Pick<Rollout, 'id' | 'accountId' | 'actor'>,
  { mark, before, after, ...happened }: Happened,
): AuditEvent {
  const { action, resourceId, atMs } = happened;
  const hash = createHash('sha256')
    .update(JSON.stringify([rolloutId, action, resourceId, mark]))
    .digest();
  return {
    id: buildId('audit', atMs, hash.subarray(0, ID_BYTES)),
    accountId,
    actor,
    ...happened,
    ...(toStoredChange(before, after) ?? { before: null, after: null }),
    requestId: rolloutId,
    ip: null,
  };
}

/** Records the start or the end of the rollout. Call it after that state was stored. Safe to repeat. */
export async function recordRollout(
  { stores }: Pick<Dependencies, 'stores'>,
  rollout: Rollout | null,
): Promise<void> {
  if (rollout === null) return;
  const { id, accountId, createdAtMs, startedAtMs, endedAtMs, counts } = rollout;
  const event = createEvent(rollout, {
    action: `rollout.${endedAtMs === null ? 'start' : 'end'}`,
    resourceType: 'rollout',
    resourceId: id,
    atMs: endedAtMs ?? startedAtMs ?? createdAtMs,
    mark: '',
    before: null,
    after: { ...presentChange(rollout), ...(counts !== null && { counts }) },
  });
  await stores.audit.add(accountId, [event]);
}

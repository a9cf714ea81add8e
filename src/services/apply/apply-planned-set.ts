/** Applies a plan that people have reviewed: exactly the changes of a dry run, or nothing. */
import { createHash } from 'node:crypto';
import { toCanonicalJson } from '../../platform/canonical-json';
import { AppError } from '../../platform/errors';
import type { ApplyBody } from '../../schemas/apply';
import type { AppliedSet } from '../../schemas/responses/apply';
import type { Changer } from '../objects/object-type';
import type { Dependencies } from '../ports/dependencies';
import { applySet } from './apply-set';

const STALE = 'does not match the current plan; make a new dry run';

/**
 * Like applySet, but a dry run also returns the hash of its plan. If `planHash` is given, the set and its objects must
 * be unchanged since that dry run. Otherwise, throws `version_mismatch` before any change.
 */
export async function applyPlannedSet(
  needs: Dependencies,
  changer: Changer,
  { planHash, ...body }: ApplyBody,
): Promise<AppliedSet> {
  if (planHash === undefined && !body.dryRun) return applySet(needs, changer, body);
  const plan = await applySet(needs, changer, { ...body, dryRun: true });
  const current = hashPlan(changer.accountId, body, plan);
  if (planHash !== undefined && planHash !== current)
    throw new AppError('version_mismatch', `The planHash ${STALE}.`, {
      errors: [{ path: 'planHash', code: 'version_mismatch', message: STALE }],
    });
  return body.dryRun ? { ...plan, planHash: current } : applySet(needs, changer, body);
}

type SetBody = Omit<ApplyBody, 'planHash'>;

/**
 * Hashes the plan. New ids differ from plan to plan, so the hash is computed from the sent set and not from the new
 * objects.
 */
function hashPlan(
  accountId: string,
  { dryRun: _dryRun, ...sent }: SetBody,
  { objects }: AppliedSet,
): string {
  const planned = objects.map(({ kind, index, key, action, outcome, changes, ...object }) => {
    const before = changes.map((change) => [change.path, change.before]);
    const id = action === 'create' ? null : object.id;
    return { kind, index, key, action, outcome, id, before };
  });
  const text = toCanonicalJson({ accountId, sent, planned });
  return createHash('sha256').update(text).digest('base64url');
}

/** Rotates the key of one region, for operators. After the rotation, a revoked probe cannot decrypt new values. */
import type { RegionKeyStore, RotatedRegion } from '../../models/operations/region-keys';
import { AppError } from '../../platform/errors';
import type { RotatedRegionKeyResponse } from '../../schemas/responses/probe-keys';
import { type Principal, requireInstallationAdmin } from '../accounts/principal';
import { toInstant } from '../lists/instants';
import type { Dependencies } from '../ports/dependencies';
import { listKnownRegions } from './regions';

/** Maximum number of rotations per region. Each rotation adds a key to the list of keys that decryption tries. */
const ROTATIONS_MAX = 1_000;

/**
 * Rotates the key. The new key takes effect in this process at once, and in other processes within seconds. Throws
 * `insufficient_scope`, `unknown_region` or `limit_reached`.
 */
export async function rotateRegionKey(
  needs: Dependencies,
  principal: Principal,
  region: string,
): Promise<RotatedRegionKeyResponse> {
  await requireInstallationAdmin(needs, principal);
  const { stores, clock, regionKeyrings } = needs;
  if (!(await listKnownRegions(needs)).includes(region))
    throw new AppError('unknown_region', `There is no region ${region}.`);
  const before = await stores.regionKeys.list();
  if ((before.find((rotated) => rotated.region === region)?.rotations ?? 0) >= ROTATIONS_MAX)
    throw new AppError('limit_reached', `A key can be rotated ${ROTATIONS_MAX} times.`);
  const { rotations, rotatedAtMs } = await stores.regionKeys.rotate(region, clock.now());
  await regionKeyrings.renew({ isUrgent: true });
  return { id: region, rotations, rotatedAt: toInstant(rotatedAtMs) };
}

export async function readRotations(
  regionKeys: Pick<RegionKeyStore, 'list'>,
): Promise<ReadonlyMap<string, number>> {
  const rotated: readonly RotatedRegion[] = await regionKeys.list();
  return new Map(rotated.map(({ region, rotations }) => [region, rotations]));
}

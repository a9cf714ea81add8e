/** The URL to which the job of a heartbeat reports. The token in the URL is the only credential. */
import { pingContext } from '../../contracts/seal-contexts';
import type { Monitor, PingAddress } from '../../models/resources/monitors';
import { AppError } from '../../platform/errors';
import { hashToken } from '../accounts/api-key-format';
import type { Dependencies } from '../ports/dependencies';
import type { Kind, KindTypes } from '../resources/kind';
import { showResource } from '../resources/resource-verbs';
import { findLiveResource, saveChange } from '../resources/save-resource';

/** The size of a token: 144 bits, which are 24 characters. */
const TOKEN_BYTES = 18;

type Needs = Pick<Dependencies, 'randomBytes' | 'sealers'>;

/** Creates a token. Stores its hash for lookups, and the encrypted token for members who read the monitor. */
export function newPingAddress(
  { randomBytes, sealers }: Needs,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): PingAddress {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const sealed = sealers.stored.seal(token, pingContext(accountId, id));
  return { sealed, hash: hashToken(token), former: null };
}

export function buildPingUrl(publicUrl: string, token: string): string {
  return new URL(`/ping/${token}`, publicUrl).href;
}

const FORMER_KEPT_MS = 24 * 3_600_000;

/** Replaces the token. Throws `not_found`, and `validation_failed` for a monitor that is not a heartbeat. */
export async function rotateToken<Types extends KindTypes & { readonly Resource: Monitor }>(
  needs: Dependencies,
  kind: Kind<Types>,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): Promise<Types['View']> {
  const untilMs = needs.clock.now() + FORMER_KEPT_MS;
  const change = (resource: Types['Resource']): Types['Resource'] => {
    if (resource.heartbeat === null)
      throw new AppError('validation_failed', 'Only heartbeats have a token.');
    const former = { hash: resource.heartbeat.address.hash, untilMs };
    const address = { ...newPingAddress(needs, resource), former };
    return { ...resource, heartbeat: { ...resource.heartbeat, address } };
  };
  const find = () => findLiveResource(kind, accountId, id);
  return showResource(needs, kind, await saveChange(needs, kind, { find, change }));
}

/** The address to which the job of a heartbeat reports: a token that is the only key to it. */
import { pingContext } from '../../contracts/seal-contexts';
import type { PingAddress } from '../../models/resources/monitors';
import { hashToken } from '../accounts/api-key-format';
import type { Dependencies } from '../ports/dependencies';

/** 144 bits, 24 characters. */
const TOKEN_BYTES = 18;

type Needs = Pick<Dependencies, 'randomBytes' | 'sealers'>;

/** A new token, sealed for those who may read the monitor. */
export function newPingAddress(
  { randomBytes, sealers }: Needs,
  { accountId, id }: { readonly accountId: string; readonly id: string },
): PingAddress {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const sealed = sealers.stored.seal(token, pingContext(accountId, id));
  return { sealed, hash: hashToken(token), former: null };
}

export function pingUrlOf(publicUrl: string, token: string): string {
  return new URL(`/ping/${token}`, publicUrl).href;
}

/** Ends a session at once. */
import { hashToken } from '../accounts/api-key-format';
import type { Dependencies } from '../ports/dependencies';

/** Idempotent. */
export async function closeSession(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  sessionId: string,
): Promise<void> {
  await stores.sessions.remove(accountId, hashToken(sessionId));
}

/** Records failed sign-ins of known people in the audit trails of their accounts. */
import type { Dependencies } from '../ports/dependencies';
import { recordChanges } from './audit-events';
import { runOnce } from './login-throttle';

const ONCE_IN_MS = 15 * 60_000;
const ACCOUNTS_MAX = 20;

interface FailedSignIn {
  readonly personId: string;
  readonly clientIp: string;
  readonly by: 'password' | 'second_factor';
}

/**
 * Records at most one event per account, person and sign-in method within 15 minutes, in at most 20 accounts. The
 * response does not wait for the record, so that the response time does not reveal whether the person exists.
 */
export function recordFailedSignIn(needs: Dependencies, { personId, clientIp, by }: FailedSignIn) {
  const once = { parts: ['failed-sign-in', by, personId], forgetAfterMs: ONCE_IN_MS };
  const record = async (): Promise<void> => {
    const actor = { type: 'system', id: 'sign-in', name: 'Sign-in' } as const;
    const requestId = needs.newId('request');
    const places = await needs.stores.users.listOfPerson(personId);
    for (const { accountId, id: resourceId, email } of places.slice(0, ACCOUNTS_MAX)) {
      const change = { action: 'session.refuse', resourceType: 'user', resourceId, before: null };
      const origin = { accountId, actor, requestId, ip: clientIp };
      await recordChanges(needs, origin, [{ ...change, after: { email, by } }]);
    }
  };
  runOnce(needs, once, record).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    needs.notifyOperator({ personId, reason }, 'a failed sign-in could not be recorded');
  });
}

/** Adds a person, who then sets a password by a link. */

import type { User } from '../../models/accounts/users';
import type { MemberBody } from '../../schemas/account';
import type { NewMemberResponse } from '../../schemas/responses/account';
import type { Dependencies } from '../ports/dependencies';
import { mailLink } from './account-emails';
import { findAccount } from './get-account';
import { mailMarks, takeTries } from './login-throttle';
import { requireMayGrant } from './member-rules';
import { newPasswordLink } from './password-link';
import { withinLimit } from './plan-limits';
import { presentMember } from './present-account';
import type { Principal } from './principal';

const LINK_LIFETIME_MS = 7 * 24 * 3_600_000;

/** Throws `key_taken` for an address that somebody has, whatever account that is in. */
export async function addMember(
  needs: Dependencies,
  principal: Principal,
  { email, role }: MemberBody,
): Promise<NewMemberResponse> {
  const { accountId } = principal;
  const { stores, newId, clock } = needs;
  await requireMayGrant(needs, principal, [role]);
  if (needs.mailer !== null) await takeTries(needs, mailMarks(accountId, email));
  const user: User = {
    id: newId('user'),
    accountId,
    email,
    passwordHash: null,
    role,
    createdAtMs: clock.now(),
  };
  await withinLimit(needs, { accountId, kind: 'members' }, () =>
    stores.users.create(accountId, user),
  );
  const url = await newPasswordLink(needs, user, LINK_LIFETIME_MS);
  const account = await findAccount(needs, accountId);
  const mailed = await mailLink(needs, {
    to: email,
    subject: 'Your access to Keepwatch',
    sentences: [
      `You are a member of "${account.name}" on Keepwatch now.`,
      'Set your password within 7 days by this link:',
    ],
    link: url,
  });
  return { ...presentMember(user), mailed, setPasswordUrl: mailed ? null : url };
}

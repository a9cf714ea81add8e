/** Creates, reads and withdraws invitations. A person who accepts one becomes a member. */

import type { Account } from '../../models/accounts/accounts';
import type { Invitation } from '../../models/accounts/invitations';
import { AppError } from '../../platform/errors';
import type { MemberBody } from '../../schemas/account';
import type {
  InvitationResponse,
  NewInvitationResponse,
  NewMemberResponse,
} from '../../schemas/responses/account';
import { type ListPage, type ListRequest, readList } from '../lists/read-list';
import type { Dependencies } from '../ports/dependencies';
import { buildInvitationLink, mailLink, newLinkToken } from './account-emails';
import { findAccount } from './get-account';
import { listMailCounters, takeTries } from './login-throttle';
import { requireGrantable } from './members';
import { readFreeCount, requireWithinLimit, writeWithinLimit } from './plan-limits';
import { presentInvitation, presentInvited } from './present-account';
import { findMaker, type Principal } from './principal';

const LIFETIME_MS = 7 * 24 * 3_600_000;

/**
 * Invites a person. A second invitation to the same email address replaces the first. Throws `limit_reached`. Throws
 * `key_taken` if the address belongs to a member. Does not reveal whether the address belongs to a person of another
 * account.
 */
export async function invite(
  needs: Dependencies,
  principal: Principal,
  body: MemberBody,
): Promise<NewInvitationResponse> {
  const { invitation, mailed, link } = await sendAsMember(needs, principal, body);
  return { ...presentInvitation(invitation), mailed, acceptUrl: mailed ? null : link };
}

/** Invites a person like `invite`. Returns the future member, with the id that the member will have. */
export async function addMember(
  needs: Dependencies,
  principal: Principal,
  body: MemberBody,
): Promise<NewMemberResponse> {
  const memberId = needs.newId('user');
  const { invitation, mailed, link } = await sendAsMember(needs, principal, { ...body, memberId });
  return { ...presentInvited(invitation, memberId), mailed, setPasswordUrl: mailed ? null : link };
}

async function sendAsMember(
  needs: Dependencies,
  principal: Principal,
  { email, role, memberId }: MemberBody & { readonly memberId?: string },
): Promise<Sent> {
  const { accountId } = principal;
  const { stores } = needs;
  await requireGrantable(needs, principal, [role]);
  requireWithinLimit(await readFreeCount(needs, { accountId, kind: 'members' }), 'members');
  if ((await stores.users.findByEmail(accountId, email)) !== null)
    throw new AppError('key_taken', 'This account already has a member with this email address.');
  const account = await findAccount(needs, accountId);
  const createdBy = await findMaker(needs, principal);
  const inviter = principal.actor.type === 'user' ? principal.actor.name : 'An admin';
  return sendInvitation(needs, account, {
    email,
    role,
    createdBy,
    inviter,
    ...(memberId !== undefined && { memberId }),
  });
}

interface Inviting extends MemberBody {
  readonly createdBy: string | null;
  /** The name of the inviter in the email. */
  readonly inviter: string;
  readonly memberId?: string;
}

interface Sent {
  readonly invitation: Invitation;
  /** False if the email was not sent. The caller must then pass the link on in another way. */
  readonly mailed: boolean;
  readonly link: string;
}

/**
 * Stores and sends an invitation. The caller must have checked that the inviter may give the role. Throws
 * `limit_reached` and `rate_limited`.
 */
export async function sendInvitation(
  needs: Dependencies,
  { id: accountId, name }: Pick<Account, 'id' | 'name'>,
  { inviter, ...inviting }: Inviting,
): Promise<Sent> {
  const { stores, newId, clock } = needs;
  const { email } = inviting;
  if (needs.mailer !== null) await takeTries(needs, listMailCounters(accountId, email));
  const { token, hash } = newLinkToken(needs);
  const createdAtMs = clock.now();
  const expiresAtMs = createdAtMs + LIFETIME_MS;
  const invitation: Invitation = {
    id: newId('invitation'),
    accountId,
    ...inviting,
    hash,
    createdAtMs,
    expiresAtMs,
  };
  await writeWithinLimit(needs, { accountId, kind: 'members' }, () =>
    stores.invitations.create(accountId, invitation),
  );
  const link = buildInvitationLink(needs, token);
  const mailed = await mailLink(needs, {
    to: email,
    subject: `Invitation to "${name}" on Keepwatch`,
    sentences: [
      `${inviter} invites you to "${name}" on Keepwatch.`,
      'Accept within 7 days by this link:',
    ],
    link,
  });
  if (mailed) await stores.invitations.setMailed(accountId, invitation.id);
  return { invitation, mailed, link };
}

/** Lists the open invitations, newest first. */
export async function listInvitations(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  accountId: string,
  request: ListRequest,
): Promise<ListPage<InvitationResponse>> {
  const nowMs = clock.now();
  return readList({ accountId, list: 'invitations' }, request, {
    read: (query) => stores.invitations.list(accountId, { ...query, nowMs }),
    present: presentInvitation,
  });
}

/** Returns the invitation. Throws `not_found` if the invitation does not exist or has expired. */
export async function getInvitation(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  accountId: string,
  id: string,
): Promise<InvitationResponse> {
  const invitation = await stores.invitations.find(accountId, id);
  if (invitation === null || invitation.expiresAtMs <= clock.now()) throw invitationNotFound();
  return presentInvitation(invitation);
}

/** Withdraws the invitation, so that its link stops working at once. Throws `not_found`. */
export async function withdrawInvitation(
  { stores }: Pick<Dependencies, 'stores'>,
  accountId: string,
  id: string,
): Promise<void> {
  if (!(await stores.invitations.remove(accountId, id))) throw invitationNotFound();
}

function invitationNotFound(): AppError {
  return new AppError('not_found', 'There is no open invitation with this id.');
}

/** The words of members and invitations. */
import type { Member } from '../../../shared/data/api-types';

type Role = Member['role'];

export const ROLE_WORDS: Readonly<Record<Role, string>> = {
  owner: 'Owner',
  admin: 'Admin',
  editor: 'Editor',
  viewer: 'Viewer',
};

export const ROLE_HINTS: Readonly<Record<Role, string>> = {
  owner: 'Full access, including other owners.',
  admin: 'Full access except owners: members, API keys, audit trail.',
  editor: 'Creates and changes monitors, scenarios, channels and secrets.',
  viewer: 'Read-only access.',
};

export const TEXT = {
  about: 'People with access to this account.',
  add: 'Invite member',
  noneTitle: 'No members',
  none: 'Invite a teammate to share on-call.',
  email: 'Email address',
  role: 'Role',
  members: 'Members',
  invitations: 'Open invitations',
  noInvitations: 'No open invitations.',
  you: 'you',
  invited: 'has not set a password yet',
  remove: 'Remove',
  withdraw: 'Revoke',
  removeText: 'All sessions of this person end now.',
  withdrawText: 'The link stops working.',
  removed: 'Member removed.',
  withdrawn: 'Invitation revoked.',
  roleSaved: 'Role changed.',
  link: 'Invitation link',
  linkTitle: 'Share this link',
  linkAbout:
    'Email is not set up, so no message was sent. The link works once, for seven days. You won’t be able to see it again.',
} as const;

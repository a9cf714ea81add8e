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
  owner: 'Everything, and makes other owners.',
  admin: 'Everything but owners: members, API keys, audit trail.',
  editor: 'Creates and changes monitors, scenarios, channels and secrets.',
  viewer: 'Sees everything, changes nothing.',
};

export const TEXT = {
  about: 'Who may see and change this account.',
  add: 'Invite somebody',
  noneTitle: 'Nobody is here',
  none: 'Invite somebody who looks when you sleep.',
  email: 'Email address',
  role: 'Role',
  members: 'Members',
  invitations: 'Open invitations',
  noInvitations: 'Nobody is invited at the moment.',
  you: 'you',
  invited: 'has not set a password yet',
  remove: 'Remove',
  withdraw: 'Withdraw',
  removeText: 'Every session of this person ends at once.',
  withdrawText: 'Its link does not work any more.',
  removed: 'The member is removed.',
  withdrawn: 'The invitation is withdrawn.',
  roleSaved: 'The role is changed.',
  link: 'Link of the invitation',
  linkTitle: 'Hand over this link',
  linkAbout:
    'No mail server is set up, so nothing was mailed. The link works once, for seven days; it is shown once.',
} as const;

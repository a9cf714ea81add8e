/** Texts of members and invitations. */
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
  role: 'Role',
  remove: 'Remove',
  withdraw: 'Revoke',
} as const;

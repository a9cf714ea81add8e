/** Roles of people and scopes of keys, ordered by what they allow. */

/** The role that may do most comes first. */
export const MEMBER_ROLES = ['owner', 'admin', 'editor', 'viewer'] as const;

export type MemberRole = (typeof MEMBER_ROLES)[number];

export const SCOPES = ['read', 'run', 'write', 'admin'] as const;

export type Scope = (typeof SCOPES)[number];

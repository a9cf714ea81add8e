/** Roles of people and scopes of keys, from the one who may do most or least. */

/** From the one who may do most. */
export const MEMBER_ROLES = ['owner', 'admin', 'editor', 'viewer'] as const;

export type MemberRole = (typeof MEMBER_ROLES)[number];

export const SCOPES = ['read', 'run', 'write', 'admin'] as const;

export type Scope = (typeof SCOPES)[number];

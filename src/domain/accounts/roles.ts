/** The roles of people and the scopes of API keys. */

/** The roles of members. The role with the most permissions comes first. */
export const MEMBER_ROLES = ['owner', 'admin', 'editor', 'viewer'] as const;

export type MemberRole = (typeof MEMBER_ROLES)[number];

export const SCOPES = ['read', 'run', 'write', 'admin'] as const;

export type Scope = (typeof SCOPES)[number];

/** Rows of people, invitations, quotas and the trail as use cases see them; no Mongoose. */
import type { MemberRole } from './rows';

/** An invitation that nobody has accepted yet. */
export interface InvitationRow {
  /** `inv_…` */
  readonly id: string;
  readonly accountId: string;
  /** Lower case. */
  readonly email: string;
  readonly role: MemberRole;
  /** SHA-256 of the token in the link, hex. */
  readonly hash: string;
  /** The person who made it, or made the key that made it: it ends with them. */
  readonly createdBy?: string | null;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

export interface SessionRow {
  /** SHA-256 of the opaque session id, hex. */
  readonly hash: string;
  readonly accountId: string;
  readonly userId: string;
  readonly createdAtMs: number;
  readonly lastSeenAtMs: number;
}

/** The right to set a person's password once, by a link. */
export interface PasswordTokenRow {
  /** SHA-256 of the token in the link, hex. */
  readonly hash: string;
  readonly accountId: string;
  readonly userId: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
}

/** Tries of one kind from one place. */
export interface GuessRow {
  readonly id: string;
  readonly tries: number;
  /** The next try may not come before. */
  readonly notBeforeMs: number;
  readonly expiresAtMs: number;
}

/** Who changed something: a person, a key, or the service itself. */
export interface AuditActor {
  readonly type: 'user' | 'api_key' | 'system';
  readonly id: string;
  /** As it was then: address of the person, name of the key. */
  readonly name: string;
}

/** One change of something of an account. */
export interface AuditRow {
  /** `aud_…`; sorts by time. */
  readonly id: string;
  readonly accountId: string;
  readonly atMs: number;
  readonly actor: AuditActor;
  /** Like `monitor.update`. */
  readonly action: string;
  readonly resourceType: string;
  readonly resourceId: string | null;
  /** What changed, as it was and as it is; null for nothing. Secrets are masked. */
  readonly before: unknown;
  readonly after: unknown;
  readonly requestId: string;
  /** Where the request came from; null for the service itself. */
  readonly ip: string | null;
}

/**
 * The purposes and contexts of encrypted values. The key is derived from the purpose, and the context is authenticated.
 * A value that is copied elsewhere therefore cannot be decrypted.
 */

/** The purpose of secrets and secret variables in the database. */
export const STORED_SECRET_PURPOSE = 'stored-secret';

/** The purpose of the values that a run passes from step to step. */
export const RUN_VALUE_PURPOSE = 'run-value';

export function secretContext(accountId: string, name: string, version: number): string {
  return `secret:${accountId}:${version}:${name}`;
}

/** The context of a secret variable. The context is the same in the current record and in all revisions. */
export function variableContext(accountId: string, resourceId: string, name: string): string {
  return `variable:${accountId}:${resourceId}:${name}`;
}

export function runValueContext(accountId: string, runId: string, name: string): string {
  return `run:${accountId}:${runId}:${name}`;
}

export function runCookiesContext(accountId: string, runId: string): string {
  return `run-cookies:${accountId}:${runId}`;
}

/** The context of a probe key's secret. */
export function probeKeyContext(region: string, keyId: string): string {
  return `probe-key:${region}:${keyId}`;
}

/** The context of the secret in a person's authenticator app. */
export function codeAppContext(personId: string): string {
  return `code-app:${personId}`;
}

/** The context of an account's alert recipients. */
export function destinationContext(accountId: string): string {
  return `alert-place:${accountId}`;
}

/** The context of the links in emails by which people acknowledge incidents. */
export const ACKNOWLEDGE_LINK_CONTEXT = 'acknowledge-link';

/**
 * The context of the cookie that a visitor gets for the correct password of a status page. A new password changes the
 * context, so old cookies become invalid.
 */
export function pagePassContext(pageId: string, passwordHash: string): string {
  return `page-pass:${pageId}:${passwordHash}`;
}

/** The context for the proof that a host points to this installation. */
export function domainProofContext(host: string): string {
  return `domain-proof:${host}`;
}
/** The context of the recipients that have subscribed to a status page. */
export function subscriberContext(pageId: string): string {
  return `subscriber:${pageId}`;
}

/** The context of the links in letters to subscribers. */
export const SUBSCRIPTION_LINK_CONTEXT = 'subscription-link';

/** The context of the token with which the job of a heartbeat reports. */
export function pingContext(accountId: string, monitorId: string): string {
  return `ping:${accountId}:${monitorId}`;
}

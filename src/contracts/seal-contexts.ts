/**
 * The bindings of encrypted values. Each value has a purpose, from which its key is derived, and a context, which is
 * authenticated together with the value. So a value cannot be used anywhere else.
 */

/** For secrets and secret variables in the database. */
export const STORED_SECRET_PURPOSE = 'stored-secret';

/** For values of a run that are passed from step to step. */
export const RUN_VALUE_PURPOSE = 'run-value';

/** For one version of a secret of an account. */
export function secretContext(accountId: string, name: string, version: number): string {
  return `secret:${accountId}:${version}:${name}`;
}

/** For a secret variable of a monitor or scenario, in its row and all its revisions. */
export function variableContext(accountId: string, resourceId: string, name: string): string {
  return `variable:${accountId}:${resourceId}:${name}`;
}

/** For a secret value of one run. */
export function runValueContext(accountId: string, runId: string, name: string): string {
  return `run:${accountId}:${runId}:${name}`;
}

/** For the cookies of one run. */
export function runCookiesContext(accountId: string, runId: string): string {
  return `run-cookies:${accountId}:${runId}`;
}

/** For the secret of a probe's key. */
export function probeKeyContext(region: string, keyId: string): string {
  return `probe-key:${region}:${keyId}`;
}

/** For the recipients of an account's alerts. */
export function destinationContext(accountId: string): string {
  return `alert-place:${accountId}`;
}

/** For the links in emails by which people acknowledge incidents. */
export const ACKNOWLEDGE_LINK_CONTEXT = 'acknowledge-link';

/** For the pass of a visitor who has entered the password of a status page. A new password is a new context. */
export function pagePassContext(pageId: string, passwordHash: string): string {
  return `page-pass:${pageId}:${passwordHash}`;
}

/** For the response of a host that leads to this installation. */
export function domainProofContext(host: string): string {
  return `domain-proof:${host}`;
}
/** For the recipients of a status page's news. */
export function subscriberContext(pageId: string): string {
  return `subscriber:${pageId}`;
}

/** For the links by which subscribers of status pages confirm, change and end their subscriptions. */
export const SUBSCRIPTION_LINK_CONTEXT = 'subscription-link';

/** For the token with which the job of a heartbeat reports. */
export function pingContext(accountId: string, monitorId: string): string {
  return `ping:${accountId}:${monitorId}`;
}

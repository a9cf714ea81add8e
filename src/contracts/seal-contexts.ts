/**
 * The bindings of sealed values, so that none can be used elsewhere: the name of the purpose that the key is derived
 * for, and the context that is authenticated together with the value.
 */

/** Secrets and secret variables in the database. */
export const STORED_SECRET_PURPOSE = 'stored-secret';

/** Values of a run on their way from step to step. */
export const RUN_VALUE_PURPOSE = 'run-value';

/** One version of a secret of an account. */
export function secretContext(accountId: string, name: string, version: number): string {
  return `secret:${accountId}:${version}:${name}`;
}

/** A secret variable of a monitor or scenario, in its row and all its revisions. */
export function variableContext(accountId: string, resourceId: string, name: string): string {
  return `variable:${accountId}:${resourceId}:${name}`;
}

/** A secret value of one run. */
export function runValueContext(accountId: string, runId: string, name: string): string {
  return `run:${accountId}:${runId}:${name}`;
}

/** The cookies of one run. */
export function runCookiesContext(accountId: string, runId: string): string {
  return `run-cookies:${accountId}:${runId}`;
}

/** The secret of a probe's key. */
export function probeKeyContext(region: string, keyId: string): string {
  return `probe-key:${region}:${keyId}`;
}

/** The recipients of an account's alerts. */
export function destinationContext(accountId: string): string {
  return `alert-place:${accountId}`;
}

/** The links of mails by which people acknowledge incidents. */
export const ACKNOWLEDGE_LINK_CONTEXT = 'acknowledge-link';

/** The pass of a visitor who has entered the password of a status page; a new password is a new context. */
export function pagePassContext(pageId: string, passwordHash: string): string {
  return `page-pass:${pageId}:${passwordHash}`;
}

/** The response of a host that leads to this installation. */
export function domainProofContext(host: string): string {
  return `domain-proof:${host}`;
}
/** The recipients of a status page's news. */
export function subscriberContext(pageId: string): string {
  return `subscriber:${pageId}`;
}

/** The links by which subscribers of status pages confirm, change and end their subscriptions. */
export const SUBSCRIPTION_LINK_CONTEXT = 'subscription-link';

/** The token that the job of a heartbeat reports with. */
export function pingContext(accountId: string, monitorId: string): string {
  return `ping:${accountId}:${monitorId}`;
}

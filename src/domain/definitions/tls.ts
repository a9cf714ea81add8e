/** Finds the TLS rules of a request: its own, or its scenario's. Pure. */
import { isNetworkStep, type SentStep } from '../../contracts/definition';
import type { Tls, WithTls } from '../../contracts/definitions/tls';

/** Picks only the TLS fields of an object that may have other fields. */
export function pickTls({ trust, checkHost, certificate, key, passphrase, serverName }: Tls): Tls {
  return {
    ...(trust !== undefined && { trust }),
    ...(checkHost !== undefined && { checkHost }),
    ...(certificate !== undefined && { certificate }),
    ...(key !== undefined && { key }),
    ...(passphrase !== undefined && { passphrase }),
    ...(serverName !== undefined && { serverName }),
  };
}

/** Returns the TLS rules in their stored form. Empty if there is none. */
export function toStoredTls(given: Tls | null): WithTls {
  const tls = pickTls(given ?? {});
  return Object.keys(tls).length === 0 ? {} : { tls };
}

/** Returns the step as it is sent. A step without its own TLS rules gets the rules of its scenario. */
export function withSentTls<Step extends SentStep>(step: Step, { tls: shared }: WithTls): Step {
  const isKept = isNetworkStep(step) || ('tls' in step && step.tls !== undefined);
  if (isKept || shared === undefined) return step;
  return { ...step, tls: shared };
}

/** True if an attacker on the network path could respond in place of the target. */
export function isUnchecked(step: SentStep): boolean {
  return !isNetworkStep(step) && step.tls?.trust === 'unchecked';
}

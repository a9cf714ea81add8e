/** Finds the TLS rules of a request: its own, or those of its scenario. Pure. */
import { isNetworkStep, type SentStep } from '../../contracts/definition';
import type { Tls, WithTls } from '../../contracts/definitions/tls';

/** Only the TLS fields of an object that may have others, too. */
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

/** The TLS rules as they are stored: empty if nothing is specified. */
export function storedTls(given: Tls | null): WithTls {
  const tls = pickTls(given ?? {});
  return Object.keys(tls).length === 0 ? {} : { tls };
}

/** The step as it is sent: a request without TLS rules of its own uses those of its scenario. */
export function withSentTls<Step extends SentStep>(step: Step, { tls: shared }: WithTls): Step {
  const isKept = isNetworkStep(step) || ('tls' in step && step.tls !== undefined);
  if (isKept || shared === undefined) return step;
  return { ...step, tls: shared };
}

/** True if someone on the path could respond in place of the target. */
export function isUnchecked(step: SentStep): boolean {
  return !isNetworkStep(step) && step.tls?.trust === 'unchecked';
}

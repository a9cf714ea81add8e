/** Which rules of TLS a request has: its own, or those of its scenario; and what they hold. Pure. */
import { isNetworkStep, type SentStep } from '../../contracts/definition';
import type { Tls, WithTls } from '../../contracts/definitions/tls';

/** The fields alone, of whatever has them beside others. */
export function tlsOf({ trust, checkHost, certificate, key, passphrase, serverName }: Tls): Tls {
  return {
    ...(trust !== undefined && { trust }),
    ...(checkHost !== undefined && { checkHost }),
    ...(certificate !== undefined && { certificate }),
    ...(key !== undefined && { key }),
    ...(passphrase !== undefined && { passphrase }),
    ...(serverName !== undefined && { serverName }),
  };
}

/** As it is stored: nothing where nothing is said. */
export function storedTls(given: Tls | null): WithTls {
  const tls = tlsOf(given ?? {});
  return Object.keys(tls).length === 0 ? {} : { tls };
}

/** The step as it is sent: a request that says nothing of TLS has what its scenario says. */
export function withSentTls<Step extends SentStep>(step: Step, { tls: shared }: WithTls): Step {
  const isKept = isNetworkStep(step) || ('tls' in step && step.tls !== undefined);
  if (isKept || shared === undefined) return step;
  return { ...step, tls: shared };
}

/** Whether whoever sits on the way could answer in place of the target. */
export function isUnchecked(step: SentStep): boolean {
  return !isNetworkStep(step) && step.tls?.trust === 'unchecked';
}

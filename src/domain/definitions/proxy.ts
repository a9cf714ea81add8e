/** Finds the proxy of a request: its own, that of its scenario, or none. Pure. */
import { isNetworkStep, type SentStep } from '../../contracts/definition';
import { NO_PROXY, type WithProxy } from '../../contracts/definitions/proxy';

/** The proxy as it is stored; null: none is specified. */
export function storedProxy(proxy: string | null): WithProxy {
  return proxy === null ? {} : { proxy };
}

/** The step as it is sent: a request that names no proxy goes through that of its scenario. */
export function withSentProxy<Step extends SentStep>(step: Step, { proxy }: WithProxy): Step {
  const isKept = isNetworkStep(step) || ('proxy' in step && step.proxy !== undefined);
  if (isKept || proxy === undefined) return step;
  return { ...step, proxy };
}

/** null: it goes straight to its target. */
export function readProxyName({ proxy }: WithProxy): string | null {
  return proxy === undefined || proxy === NO_PROXY ? null : proxy;
}

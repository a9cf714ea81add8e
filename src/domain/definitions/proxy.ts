/** Finds the proxy of a request: its own, its scenario's, or none. Pure. */
import { isNetworkStep, type SentStep } from '../../contracts/definition';
import { NO_PROXY, type WithProxy } from '../../contracts/definitions/proxy';

/** Returns the proxy as definitions store it. Empty if there is none. */
export function toStoredProxy(proxy: string | null): WithProxy {
  return proxy === null ? {} : { proxy };
}

/** Returns the step as it is sent. A step without its own proxy gets the proxy of its scenario. */
export function withSentProxy<Step extends SentStep>(step: Step, { proxy }: WithProxy): Step {
  const isKept = isNetworkStep(step) || ('proxy' in step && step.proxy !== undefined);
  if (isKept || proxy === undefined) return step;
  return { ...step, proxy };
}

/** Returns the name of the proxy. null means that the request is sent directly to its target. */
export function readProxyName({ proxy }: WithProxy): string | null {
  return proxy === undefined || proxy === NO_PROXY ? null : proxy;
}

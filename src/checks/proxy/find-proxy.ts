/** Finds a step's proxy by its name in this probe's list of proxies. */
import type { ProxyServer, WithProxy } from '../../contracts/definitions/proxy';
import { readProxyName } from '../../domain/definitions/proxy';
import { StepFailure } from '../step-failure';

/** Returns the proxy. null means that the step names no proxy. Throws StepFailure if the proxy is not in the list. */
export type FindProxy = (step: WithProxy) => ProxyServer | null;

export function createFindProxy(proxies: readonly ProxyServer[]): FindProxy {
  return (step) => {
    const name = readProxyName(step);
    if (name === null) return null;
    const found = proxies.find((proxy) => proxy.name === name);
    if (found !== undefined) return found;
    const names = proxies.map((proxy) => proxy.name).join(', ') || 'none';
    const message = `This probe has no proxy “${name}” in KEEPWATCH_PROXIES; it has ${names}.`;
    throw new StepFailure('not_possible_here', message, 'prepare');
  };
}

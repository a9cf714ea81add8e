/** Refuses proxies that are not in the operator's list. */

import { readProxyName, toStoredProxy } from '../../domain/definitions/proxy';
import type { SharedOptions } from '../../domain/definitions/shared-options';
import type { FieldProblem } from '../../platform/errors';
import type { Dependencies } from '../ports/dependencies';

interface NamedProxy {
  readonly path: string;
  readonly proxy: string | null;
}

/** Finds unknown proxies. Proxies that are already stored are accepted. */
export function findUnknownProxies(
  { proxyNames }: Pick<Dependencies, 'proxyNames'>,
  named: readonly NamedProxy[],
  stored: readonly Pick<SharedOptions, 'proxy'>[],
): readonly FieldProblem[] {
  if (proxyNames === null) return [];
  const known = [...proxyNames, ...stored.map(readProxyName)];
  const others = proxyNames.length === 0 ? 'there is none' : `there are ${proxyNames.join(', ')}`;
  return named.flatMap(({ path, proxy }) => {
    const name = readProxyName(toStoredProxy(proxy));
    if (name === null || known.includes(name)) return [];
    const message = `“${name}” is not a proxy in KEEPWATCH_PROXIES: ${others}`;
    return [{ path, code: 'invalid_value', message }];
  });
}

/**
 * What is made once for the services of a process, such as a cache over its stores. It lives as long as
 * they do, and no other composition in the same process shares it.
 */
import type { Dependencies } from '../../services/ports/dependencies';

/** The same value for the same services; made when it is first asked for. */
export function oncePerServices<Made>(
  make: (services: Dependencies) => Made,
): (services: Dependencies) => Made {
  const kept = new WeakMap<Dependencies, { readonly made: Made }>();
  return (services) => {
    const { made } = kept.get(services) ?? { made: make(services) };
    kept.set(services, { made });
    return made;
  };
}

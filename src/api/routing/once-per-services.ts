/** Creates one value, for example a cache, for each set of services in a process. */
import type { Dependencies } from '../../services/ports/dependencies';

/** Returns the same value for the same services; created on first use. */
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

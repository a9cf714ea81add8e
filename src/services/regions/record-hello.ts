/** Notes that a probe of a region is alive. */
import type { ProbeHello } from '../../contracts/probe-protocol';
import type { Dependencies } from '../ports/dependencies';

export async function recordHello(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  { region, identity, networkSuspectSinceMs = null }: ProbeHello,
): Promise<void> {
  await stores.regions.hello(region, identity, clock.now());
  await stores.regions.noteNetwork(region, identity, networkSuspectSinceMs);
}

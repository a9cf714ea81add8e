/** Notes that a probe of a region is alive. */
import type { ProbeHello } from '../../contracts/probe-protocol';
import type { Dependencies } from '../ports/dependencies';

export async function recordHello(
  { stores, clock }: Pick<Dependencies, 'stores' | 'clock'>,
  { region, identity, networkSuspectSinceMs = null, release }: ProbeHello,
): Promise<void> {
  await stores.regions.hello(region, identity, clock.now());
  await stores.regions.noteFacts(region, identity, {
    networkSuspectSinceMs,
    release: release ?? null,
  });
}

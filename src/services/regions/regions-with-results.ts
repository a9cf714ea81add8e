/** The regions in which a monitor may have results, those it no longer runs in included. */

import type { Resource } from '../../models/resources/resource';
import type { Dependencies } from '../ports/dependencies';
import { knownRegions } from './regions';

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'configuredRegions'>;

/** Only the given region, when there is one. */
export async function regionsWithResults(
  needs: Needs,
  resource: Resource,
  region: string | undefined,
): Promise<readonly string[]> {
  if (region !== undefined) return [region];
  return [...new Set([...resource.regions, ...(await knownRegions(needs))])].sort();
}

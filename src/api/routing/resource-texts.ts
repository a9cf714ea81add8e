/** The texts that the operations of all resources have in the reference. */
import type { ResourceNames } from './resource-routes';
import type { RouteDoc } from './route-doc';

const REPLACES =
  'Replaces the whole definition: fields that the body leaves out return to their defaults, and read-only fields are ignored.';
const PATCHES =
  'Changes only the fields in the body (JSON merge patch, RFC 7396): objects are merged, lists are replaced, and null restores a default.';

/** Describes a PUT or PATCH. `effect` is the effect of a change on other objects. */
export function describeChange(method: 'PUT' | 'PATCH', effect?: string): string {
  const common = method === 'PUT' ? REPLACES : PATCHES;
  return effect === undefined ? common : `${common} ${effect}`;
}

/** Returns the texts of an operation, with a summary like `Create a monitor`. */
export function describeOperation(
  { tag, one, many, guide }: ResourceNames,
  verb: 'List' | 'Create' | 'Get' | 'Replace' | 'Update' | 'Delete',
  description: string,
): Pick<RouteDoc, 'tag' | 'summary' | 'description' | 'guide'> {
  return { tag, summary: `${verb} ${verb === 'List' ? many : one}`, description, guide };
}

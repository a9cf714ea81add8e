/** The names of a resource, and the texts that the operations of all resources have in the reference. */
import type { Guide, RouteDoc } from './route-doc';

/** The names of a resource in paths, in the reference and in the audit trail. */
export interface ResourceNames {
  readonly tag: RouteDoc['tag'];
  /** For example `/v1/status-pages`. */
  readonly path: `/v1/${string}`;
  /** For example `pageId`. */
  readonly param: string;
  /** Used in operation ids, for example `StatusPage`. */
  readonly operand: string;
  /** The plural in operation ids. Default: the operand plus `s`. */
  readonly operands?: string;
  /** Used in the audit trail, for example `status_page`. */
  readonly audit: string;
  /** Used in the reference, for example `The status page`. */
  readonly the: string;
  /** Used in summaries, for example `a status page`. */
  readonly one: string;
  /** Used in summaries, for example `status pages`. */
  readonly many: string;
  readonly guide: Guide;
}

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

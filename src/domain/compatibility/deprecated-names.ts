/**
 * Announced removals of everything outside of `/v1`: settings, metrics, commands, options, exit codes, tools, and
 * fields of webhooks.
 */
import { type Deprecation, formatDeprecation } from './deprecation';

/** A name as test/surface/released.json has it, for example `setting PORT` or `option run --tag`. */
type SurfaceName = string;

export type DeprecatedNames = Readonly<Record<SurfaceName, Deprecation>>;

export const DEPRECATED_NAMES: Readonly<Record<SurfaceName, Deprecation>> = {};

/** The text, followed by the announcement if the name is deprecated. */
export function addDeprecation(
  text: string,
  name: SurfaceName,
  names: DeprecatedNames = DEPRECATED_NAMES,
): string {
  const deprecation = names[name];
  return deprecation === undefined ? text : `${text}. ${formatDeprecation(deprecation)}`;
}

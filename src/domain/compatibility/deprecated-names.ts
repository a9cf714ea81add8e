/**
 * The removals that were announced for everything outside of `/v1`: settings, metrics, commands, options, exit codes,
 * tools, and fields of webhooks.
 */
import { type Deprecation, formatDeprecation } from './deprecation';

/** A name as in test/surface/released.json, for example `setting PORT` or `option run --tag`. */
type SurfaceName = string;

export type DeprecatedNames = Readonly<Record<SurfaceName, Deprecation>>;

export const DEPRECATED_NAMES: Readonly<Record<SurfaceName, Deprecation>> = {};

/** Returns the text. If the name is deprecated, adds the announcement of its removal. */
export function addDeprecation(
  text: string,
  name: SurfaceName,
  names: DeprecatedNames = DEPRECATED_NAMES,
): string {
  const deprecation = names[name];
  return deprecation === undefined ? text : `${text}. ${formatDeprecation(deprecation)}`;
}

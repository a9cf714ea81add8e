/** The part of a monitor that people wrote, as the configuration shows it. Pure. */

import { BODY_FIELDS } from '../../../../contracts/definition';
import { REQUEST_OPTION_NAMES } from '../../../../schemas/request-options';
import type { HeartbeatMonitor, HttpMonitor, Monitor } from '../../../shared/data/api-types';
import { maskedHeaders } from '../../../shared/form/secret-header';

const DEFINED = [
  'key',
  'type',
  'name',
  'schedule',
  'graceSeconds',
  'earlySeconds',
  'maxRunSeconds',
  'minRunSeconds',
  'failOn',
  'url',
  'method',
  'interval',
  'regions',
  'headers',
  ...BODY_FIELDS,
  'assertions',
  'alerts',
  'group',
  'tags',
  'variables',
  ...REQUEST_OPTION_NAMES,
  'degradedAboveMs',
  'tls',
  'quorum',
  'failuresBeforeDown',
  'successesBeforeUp',
  'enabled',
] as const satisfies readonly (keyof HttpMonitor | keyof HeartbeatMonitor)[];

/** In the order in which people write it, without what is empty. */
export function definitionOf(monitor: Monitor): Readonly<Record<string, unknown>> {
  const shown = shownOf(monitor);
  return Object.fromEntries(
    DEFINED.map((name) => [name, shown[name]] as const).filter(([, value]) => !isEmpty(value)),
  );
}

/** A configuration is copied into tickets and repositories: credentials stay out of it. */
function shownOf(monitor: Monitor): Readonly<Record<string, unknown>> {
  return monitor.type === 'http'
    ? { ...monitor, headers: maskedHeaders(monitor.headers) }
    : monitor;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

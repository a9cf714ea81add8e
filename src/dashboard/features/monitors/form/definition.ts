/** The user-defined fields of a monitor, as the configuration tab shows them. Pure. */
import { MONITOR_FIELD_NAMES } from '../../../../schemas/monitor';
import type { Monitor } from '../../../shared/data/api-types';
import { maskedHeaders } from '../../../shared/form/headers/secret-header';

/** Returns the non-empty fields, in the order of the API reference. */
export function readDefinition(monitor: Monitor): Readonly<Record<string, unknown>> {
  const shown = new Map(Object.entries(maskMonitor(monitor)));
  return Object.fromEntries(
    MONITOR_FIELD_NAMES.map((name) => [name, shown.get(name)] as const).filter(
      ([, value]) => !isEmpty(value),
    ),
  );
}

/** Masks credentials, because people copy configurations into tickets and repositories. */
function maskMonitor(monitor: Monitor): object {
  return monitor.type === 'http'
    ? { ...monitor, headers: maskedHeaders(monitor.headers) }
    : monitor;
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

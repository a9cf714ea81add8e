/** The part of a monitor that people wrote, as the configuration shows it. Pure. */
import type { Monitor } from '../../../shared/data/api-types';

const DEFINED = [
  'key',
  'name',
  'url',
  'method',
  'interval',
  'regions',
  'headers',
  'body',
  'assertions',
  'alerts',
  'group',
  'tags',
  'variables',
  'timeoutMs',
  'retries',
  'followRedirects',
  'degradedAboveMs',
  'tls',
  'quorum',
  'failuresBeforeDown',
  'successesBeforeUp',
  'enabled',
] as const satisfies readonly (keyof Monitor)[];

/** In the order in which people write it, without what is empty. */
export function definitionOf(monitor: Monitor): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    DEFINED.map((name) => [name, monitor[name]] as const).filter(([, value]) => !isEmpty(value)),
  );
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

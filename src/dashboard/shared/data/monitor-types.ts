/** Which of the two types a monitor has; the response of either type always has its own fields. */
import type { HeartbeatMonitor, HttpMonitor, Monitor } from './api-types';

export const HTTP_NAMES = [
  'url',
  'method',
  'interval',
  'regions',
  'headers',
  'body',
  'assertions',
  'variables',
  'timeoutMs',
  'retries',
  'followRedirects',
  'maxRedirects',
  'degradedAboveMs',
  'tls',
  'quorum',
  'failuresBeforeDown',
  'successesBeforeUp',
  'tlsExpiresAt',
  'tlsWarning',
] as const satisfies readonly (keyof Monitor)[];

export const HEARTBEAT_NAMES = [
  'schedule',
  'graceSeconds',
  'earlySeconds',
  'maxRunSeconds',
  'minRunSeconds',
  'failOn',
  'pingUrl',
  'lastPingAt',
  'nextDueAt',
  'running',
] as const satisfies readonly (keyof Monitor)[];

export function isHttp(monitor: Monitor): monitor is HttpMonitor {
  return monitor.type === 'http';
}

export function isHeartbeat(monitor: Monitor): monitor is HeartbeatMonitor {
  return monitor.type === 'heartbeat';
}

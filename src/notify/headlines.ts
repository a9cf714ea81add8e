/** Writes the titles of alerts: one line with the event, the resource and the reason. */
import type { AlertMessage } from '../contracts/alerts';
import { writeReason } from '../domain/alerting/reason';
import { toOneLine } from '../domain/text/plain-lines';
import { writeCertificateHeadline } from './certificate-words';
import { writeDigestHeadline } from './digest-words';
import { formatDuration } from './duration-words';
import { writeProviderHeadline } from './provider-words';

export function writeHeadline(alert: AlertMessage): string {
  if (alert.provider !== undefined) return writeProviderHeadline(alert, alert.provider);
  const name = toOneLine(alert.resourceName);
  switch (alert.kind) {
    case 'failure':
      return `${alert.episode === undefined ? 'Down' : 'Down again'}: ${withReason(name, alert)}`;
    case 'recovery':
      return recoveryHeadline(name, alert);
    case 'degraded':
      return `Degraded: ${withReason(name, alert)}`;
    case 'reminder':
      return reminderHeadline(name, alert);
    case 'flapping':
      return flappingHeadline(name, alert);
    case 'certificate':
      return writeCertificateHeadline(name, alert);
    case 'digest':
      return writeDigestHeadline(alert);
    case 'test':
      return `Test of the alert channel ${name}`;
    case 'event':
      return `${alert.event?.type ?? 'event'}: ${name}`;
  }
}

/** Writes a line like `Still down for 12 min: Checkout: got 503, expected 2xx`. */
function reminderHeadline(name: string, alert: AlertMessage): string {
  const what = alert.staysDown === true ? 'Stays down' : 'Still down';
  return `${what} for ${formatDuration(alert.atMs - alert.sinceMs)}: ${withReason(name, alert)}`;
}

/** Writes a line like `Checkout: got 503, expected 2xx`. */
function withReason(name: string, alert: AlertMessage): string {
  const reason = writeReason(alert);
  return reason === '' ? name : `${name}: ${reason}`;
}

/** Writes a line like `Checkout is flapping: 5 outages in 12 min, now down, last: got 503, expected 2xx`. */
function flappingHeadline(name: string, alert: AlertMessage): string {
  const { health, atMs, cause } = alert;
  const { outages = 0, sinceMs = atMs, isAgain = false } = alert.flapping ?? {};
  const count = outages > 1 ? [`${outages} outages in ${formatDuration(atMs - sinceMs)}`] : [];
  const reason = cause === null ? '' : writeReason(alert);
  const last = reason === '' ? [] : [`last: ${reason}`];
  const facts = [...count, `now ${health}`, ...last].join(', ');
  return `${name} is ${isAgain ? 'still ' : ''}flapping: ${facts}`;
}

/** Writes a line like `Checkout is up again after 12 min`. */
function recoveryHeadline(name: string, alert: AlertMessage): string {
  const { health, atMs, openedAtMs } = alert;
  const lasted = formatDuration(atMs - (openedAtMs ?? atMs));
  if (isEndOfDegradation(alert)) return `${name} is no longer degraded, after ${lasted}`;
  if (health === 'degraded') return `${name} responds again after ${lasted}, but is degraded`;
  return `${name} is up again after ${lasted}`;
}

/** True if the recovery ends a degradation and no failure. */
export function isEndOfDegradation({ ends }: Pick<AlertMessage, 'ends'>): boolean {
  return ends.length > 0 && !ends.includes('failure');
}

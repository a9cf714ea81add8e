/** Texts about alerts and their deliveries. */
import type { Alert } from '../data/api-types';

export const ALERT_KIND_WORDS: Readonly<Record<Alert['kind'], string>> = {
  failure: 'Failure',
  recovery: 'Recovery',
  degraded: 'Degraded',
  reminder: 'Reminder',
  flapping: 'Flapping',
  certificate: 'Certificate',
  digest: 'Digest',
  test: 'Test',
  event: 'Event',
};

export const DELIVERY_WORDS: Readonly<Record<Alert['status'], string>> = {
  pending: 'Pending',
  sent: 'Sent',
  failed: 'Failed',
  suppressed: 'Suppressed',
};

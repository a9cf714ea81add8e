/** Which trouble an alert is about, for services that keep an alert of their own open until it is over. */
import type { AlertMessage } from '../../contracts/alerts';

/** What becomes of an alert of the service with this key. */
export interface TroubleStep {
  readonly key: string;
  readonly action: 'open' | 'close';
}

/**
 * Failures go by their incident, degradations by what is degraded, so that a recovery which ends both
 * closes both. What has no end, such as a digest, stays open until a person closes it; a test closes
 * what it opens.
 */
export function troubleSteps(alert: AlertMessage): readonly TroubleStep[] {
  const { kind, id, incidentId, resourceId, ends, certificate } = alert;
  const degraded = `degraded-${resourceId}`;
  const open = (key: string): readonly TroubleStep[] => [{ key, action: 'open' }];
  switch (kind) {
    case 'failure':
    case 'reminder':
      return open(incidentId ?? `failure-${resourceId}`);
    case 'degraded':
      return open(degraded);
    case 'flapping':
      return open(incidentId ?? `flapping-${resourceId}`);
    case 'certificate':
      return open(`certificate-${resourceId}-${certificate?.fingerprint ?? ''}`);
    case 'digest':
      return open(`digest-${id}`);
    case 'test':
      return [
        { key: `test-${id}`, action: 'open' },
        { key: `test-${id}`, action: 'close' },
      ];
    case 'event':
      return [];
    case 'recovery': {
      const keys = [
        ...(ends.includes('failure') || ends.length === 0
          ? [incidentId ?? `failure-${resourceId}`]
          : []),
        ...(ends.includes('degraded') ? [degraded] : []),
      ];
      return keys.map((key) => ({ key, action: 'close' }));
    }
  }
}

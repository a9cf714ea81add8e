/** Decides which alert of a paging service, such as PagerDuty, is opened or closed by a message. */
import type { AlertMessage } from '../../contracts/alerts';

/** A step that opens or closes the alert with this key. */
export interface TroubleStep {
  readonly key: string;
  readonly action: 'open' | 'close';
}

/**
 * Returns the steps. The key of a failure is its incident, and the key of a degradation is its resource. A recovery can
 * therefore close the alerts of both. An alert without an end, such as a digest, stays open. A test closes its own
 * alert.
 */
export function listTroubleSteps(alert: AlertMessage): readonly TroubleStep[] {
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
      return alert.only === undefined ? open(`digest-${id}`) : listTroubleSteps(alert.only);
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

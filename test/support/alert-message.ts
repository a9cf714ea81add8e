/** Builds an alert message of a monitor that is down, with the given changes. */
import type { AlertMessage, AlertTarget } from '../../src/contracts/alerts';

export function buildAlert(changes: Partial<AlertMessage> = {}): AlertMessage {
  const { atMs = 0 } = changes;
  return {
    id: 'a',
    kind: 'failure',
    accountId: 'acc_1',
    incidentId: 'inc_1',
    resourceType: 'monitor',
    resourceId: 'mon_1',
    resourceName: 'm',
    atMs,
    sinceMs: atMs,
    openedAtMs: atMs,
    health: 'down',
    ends: [],
    cause: null,
    regions: [],
    certificate: null,
    assertion: null,
    entries: [],
    ...changes,
  };
}

/** Builds a recipient whose deliveries are counted under the key. */
export function webhookTarget(key: string): AlertTarget {
  return { key, type: 'webhook', channelId: null, masked: key, sealed: '' };
}

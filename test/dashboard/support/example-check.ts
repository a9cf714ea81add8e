/** Returns a complete row of the list of checks. A test replaces the fields that matter to it. */
import type { ListedCheck } from '../../../src/dashboard/shared/data/api-types';

export function exampleCheck(name: string, changes: Partial<ListedCheck> = {}): ListedCheck {
  return {
    type: 'monitor',
    id: `mon_${name}`,
    name,
    key: null,
    url: 'http://example.com/',
    steps: 1,
    interval: 60,
    regions: ['eu-west'],
    tags: [],
    alerts: {
      channels: [],
      emails: [],
      onFailure: true,
      onRecovery: true,
      onDegraded: false,
      remindEveryMinutes: null,
      policy: null,
    },
    groupKey: 'example.com',
    state: 'active',
    status: 'up',
    healthSince: '2026-03-01T11:59:00.000Z',
    pausedUntil: null,
    pauseReason: null,
    lastCheckedAt: null,
    lastResponseTimeMs: null,
    degradedAboveMs: null,
    tlsExpiresAt: null,
    tlsUnchecked: false,
    currentIncidentId: null,
    failure: null,
    ...changes,
  };
}

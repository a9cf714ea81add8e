/** What the use cases of the API are given: ports and settings, nothing else. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createTargetGuard } from '../checks/target-guard';
import type { Settings } from '../config/settings';
import { type IdKind, idFrom } from '../domain/ids';
import { systemClock as clock } from '../platform/clock';
import { argon2Passwords as passwords } from '../platform/passwords';
import type { Dependencies } from '../services/dependencies';
import { workflowUrls } from '../services/workflow-url';

const SETUP_TOKEN_BYTES = 24;

export function composeServices(
  settings: Settings,
  ports: Pick<Dependencies, 'stores' | 'gateway'>,
): Dependencies {
  const guard = createTargetGuard(settings.KEEPWATCH_ALLOWED_PRIVATE_TARGETS);
  return {
    ...ports,
    clock,
    newId,
    randomBytes,
    passwords,
    setupToken:
      settings.KEEPWATCH_SETUP_TOKEN ?? randomBytes(SETUP_TOKEN_BYTES).toString('base64url'),
    defaultPlan: settings.KEEPWATCH_DEFAULT_PLAN,
    configuredRegions: settings.KEEPWATCH_REGIONS,
    findBlockedTarget: guard.checkUrl,
    workflowUrl: workflowUrls(settings.TEMPORAL_UI_URL, settings.TEMPORAL_NAMESPACE),
    sleep: (ms) => sleep(ms),
  };
}

export function newId(kind: IdKind): string {
  return idFrom(kind, clock.now(), randomBytes(10));
}

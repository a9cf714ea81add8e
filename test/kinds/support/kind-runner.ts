/** Runs checks of kinds other than HTTP against test targets on loopback. */
import type { Definition, SentNetworkStep, Variable } from '../../../src/contracts/definition';
import { createStepRunner } from '../../../src/kinds/run-step';
import { testAuthority } from '../../support/misbehaving-target';

export function buildKindRunner(changes: Partial<Parameters<typeof createStepRunner>[0]> = {}) {
  return createStepRunner({
    userAgent: 'Keepwatch',
    region: 'eu-west',
    allowedPrivateTargets: ['127.0.0.0/8'],
    extraAuthorities: [testAuthority()],
    programPath: '',
    ...changes,
  });
}

export const COMMON_STEP = {
  name: 'step',
  timeoutMs: 30_000,
  retries: 0,
  degradedAboveMs: null,
  tlsWarnDays: [],
} as const;

/** An extraction of everything that a path can address in an outcome. */
export const ALL_FACTS = [{ variable: 'facts', from: 'jsonPath', path: '$' }] as const;

export function kindDefinition(
  step: SentNetworkStep,
  variables: readonly Variable[] = [],
): Definition {
  return { kind: 'monitor', id: 'mon_test', revision: 1, variables, steps: [step] };
}

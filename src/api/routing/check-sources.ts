/** The check sources of an account (monitors and scenarios) and its ledger, created once per process. */
import { isUnchecked, withSentTls } from '../../domain/definitions/tls';
import { checkSource } from '../../services/operations/check-source';
import { createFindLedger } from '../../services/operations/read-ledger';
import { createMonitorPort, createScenarioPort } from '../../services/resources/resource-port';
import { oncePerServices } from './once-per-services';

export const getCheckSources = oncePerServices((services) => [
  checkSource(services, createMonitorPort(services), ({ step }) => ({
    url: step?.url ?? '',
    steps: 1,
    degradedAboveMs: step?.degradedAboveMs ?? null,
    tlsUnchecked: step !== null && isUnchecked(step),
  })),
  checkSource(services, createScenarioPort(services), ({ steps, tls }) => ({
    url: steps[0]?.url ?? '',
    steps: steps.length,
    degradedAboveMs: null,
    tlsUnchecked: steps.some((step) => isUnchecked(withSentTls(step, { tls }))),
  })),
]);

/** Returns the function that finds the ledger of an account. The function caches each ledger for a short time. */
export const getFindLedger = oncePerServices((services) =>
  createFindLedger(services, getCheckSources(services)),
);

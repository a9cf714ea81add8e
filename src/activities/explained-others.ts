/** Finds other resources that are down because of the failure in an alert. The search has a short time limit. */
import { setTimeout as delay } from 'node:timers/promises';
import type { AlertMessage } from '../contracts/alerts';
import type { Stores } from '../models/stores';
import type { Clock } from '../platform/clock';
import type { Logger } from '../platform/logger';
import { findExplainedIncidents } from '../services/alerting/explained-incidents';

/** How long an alert waits for dependent resources, so that they can fail and find out the cause first. */
const GATHER_MS = 5_000;
/** Only alerts of failures younger than this wait, because dependent resources may still be about to fail. */
const FRESH_MS = 60_000;
const NAMES_MAX = 10;

export interface ExplainedNeeds {
  readonly dependencies: Stores['dependencies'];
  readonly incidents: Pick<Stores['incidents'], 'explainedBy'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

/**
 * Adds to failure alerts and reminders the names of dependent resources that are down. If the database is unavailable,
 * the alert stays unchanged.
 */
export async function withExplainedOthers(
  { dependencies, incidents, clock, logger }: ExplainedNeeds,
  alert: AlertMessage,
): Promise<AlertMessage> {
  const { kind, accountId, resourceId, openedAtMs, sinceMs, atMs } = alert;
  if (kind !== 'failure' && kind !== 'reminder') return alert;
  try {
    if (!(await dependencies.hasDependents(accountId, resourceId))) return alert;
    const isNew = clock.now() - atMs < FRESH_MS;
    if (kind === 'failure' && isNew) await delay(GATHER_MS);
    const opened = { openedAtMs: openedAtMs ?? sinceMs, closedAtMs: null };
    const stores = { dependencies, incidents };
    const found = await findExplainedIncidents(stores, { accountId, resourceId, ...opened });
    const named = found.incidents.map((one) => found.names.get(one.resourceId) ?? one.resourceId);
    const names = named.toSorted((a, b) => a.localeCompare(b)).slice(0, NAMES_MAX);
    return named.length === 0 ? alert : { ...alert, explains: { count: named.length, names } };
  } catch (error) {
    logger.warn({ err: error }, 'an alert is sent without the other failures that it explains');
    return alert;
  }
}

/** Finds the recipients of a monitor's or scenario's alerts. Pure. */
import type { AlertRoute } from '../../../contracts/escalation';
import { findFirstRoute, type Routed } from '../../../domain/alerting/alert-routes';
import { selectChannels } from '../../../domain/alerting/select-channels';
import type { AlertChannel, Monitor } from '../data/api-types';

type Alerts = Pick<Monitor['alerts'], 'channels' | 'emails'>;

const CHANNEL_ID = /^chn_/;

interface Given {
  readonly alerts: Alerts;
  readonly channels: readonly AlertChannel[];
  /** True if the installation has a mail server. */
  readonly emailEnabled: boolean;
}

export interface Recipients {
  /** Names of channels and email addresses that get the alerts. */
  readonly reached: readonly string[];
  /** Email addresses that get nothing, because there is no mail server. */
  readonly unreachable: readonly string[];
}

export function findRecipients({ alerts, channels, emailEnabled }: Given): Recipients {
  const named = selectChannels(alerts.channels, channels);
  const all = [
    ...alerts.emails.map((email) => ({ name: email, isEmail: true })),
    ...named.map(({ name, type }) => ({ name, isEmail: type === 'email' })),
  ];
  const isReached = ({ isEmail }: { readonly isEmail: boolean }) => emailEnabled || !isEmail;
  const listNames = (some: typeof all) => [...new Set(some.map(({ name }) => name))];
  return {
    reached: listNames(all.filter(isReached)),
    unreachable: listNames(all.filter((one) => !isReached(one))),
  };
}

/** The fields of a saved check that decide who is notified of a failure. */
export interface Alerting extends Routed {
  readonly alerts: Monitor['alerts'];
}

interface Ways extends Omit<Given, 'alerts'> {
  readonly routes: readonly AlertRoute[];
}

/** True if a failure would notify no one. */
export function hasNoRecipients(
  { alerts, ...routed }: Alerting,
  { routes, ...given }: Ways,
): boolean {
  if (!alerts.onFailure) return true;
  if (findPolicy({ alerts, ...routed }, routes) !== null) return false;
  return findRecipients({ alerts, ...given }).reached.length === 0;
}

/** Returns the key of the check's policy: its own policy, or the policy of the first matching route. */
export function findPolicy(
  { alerts, ...routed }: Alerting,
  routes: readonly AlertRoute[],
): string | null {
  const { policy, channels, emails } = alerts;
  if (policy !== null) return policy;
  // A check without recipients notifies no one, even if a route matches.
  if (channels.length + emails.length === 0) return null;
  const route = findFirstRoute(routes, routed);
  return route === null ? null : (routes[route]?.policy ?? null);
}

/**
 * True if the reference selects no channel and is not the id of a channel. For example, `default` selects no channel if
 * no channel is a default. Such a reference stays saved but is not shown.
 */
export function isEmptyDefault(reference: string, channels: readonly AlertChannel[]): boolean {
  return !CHANNEL_ID.test(reference) && selectChannels([reference], channels).length === 0;
}

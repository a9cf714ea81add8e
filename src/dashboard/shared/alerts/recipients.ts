/** Who would be notified by the alerts of a monitor or scenario. Pure. */
import type { AlertRoute } from '../../../contracts/escalation';
import { firstRoute, type Routed } from '../../../domain/alerting/alert-routes';
import type { AlertChannel, Monitor } from '../data/api-types';

type Alerts = Pick<Monitor['alerts'], 'channels' | 'emails'>;

/** Stands for every default channel; a type stands for its default channel. */
const EVERY_DEFAULT = 'default';
const CHANNEL_ID = /^chn_/;

interface Given {
  readonly alerts: Alerts;
  readonly channels: readonly AlertChannel[];
  /** Of the installation. */
  readonly emailEnabled: boolean;
}

export interface Recipients {
  /** Names of channels and email addresses that are reached. */
  readonly reached: readonly string[];
  /** Those that are named, but get nothing: there is no mail server. */
  readonly unreachable: readonly string[];
}

export function recipientsOf({ alerts, channels, emailEnabled }: Given): Recipients {
  const named = channels.filter(
    ({ id, type, isDefault }) =>
      alerts.channels.includes(id) ||
      (isDefault && (alerts.channels.includes(type) || alerts.channels.includes(EVERY_DEFAULT))),
  );
  const all = [
    ...alerts.emails.map((email) => ({ name: email, isEmail: true })),
    ...named.map(({ name, type }) => ({ name, isEmail: type === 'email' })),
  ];
  const isReached = ({ isEmail }: { readonly isEmail: boolean }) => emailEnabled || !isEmail;
  const namesOf = (some: typeof all) => [...new Set(some.map(({ name }) => name))];
  return {
    reached: namesOf(all.filter(isReached)),
    unreachable: namesOf(all.filter((one) => !isReached(one))),
  };
}

/** A saved check, as far as it says where the alert of a failure goes. */
export interface Alerting extends Routed {
  readonly alerts: Monitor['alerts'];
}

interface Ways extends Omit<Given, 'alerts'> {
  readonly routes: readonly AlertRoute[];
}

/** Whether nobody hears of its failure: by its own recipients, its policy, or that of a route. */
export function isUnheard({ alerts, ...routed }: Alerting, { routes, ...given }: Ways): boolean {
  const { onFailure, policy, channels, emails } = alerts;
  if (!onFailure) return true;
  if (policy !== null) return false;
  // What names nobody notifies nobody, whatever the routes say.
  if (channels.length + emails.length === 0) return true;
  const route = firstRoute(routes, routed);
  if (route !== null && routes[route]?.policy != null) return false;
  return recipientsOf({ alerts, ...given }).reached.length === 0;
}

/** References to defaults that stand for nothing yet: kept, but not shown. */
export function isEmptyDefault(reference: string, channels: readonly AlertChannel[]): boolean {
  return (
    !CHANNEL_ID.test(reference) &&
    !channels.some(
      ({ type, isDefault }) => isDefault && (type === reference || reference === EVERY_DEFAULT),
    )
  );
}

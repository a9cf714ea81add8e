/** Who would be notified by the alerts of a monitor or scenario. Pure. */
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

/** References to defaults that stand for nothing yet: kept, but not shown. */
export function isEmptyDefault(reference: string, channels: readonly AlertChannel[]): boolean {
  return (
    !CHANNEL_ID.test(reference) &&
    !channels.some(
      ({ type, isDefault }) => isDefault && (type === reference || reference === EVERY_DEFAULT),
    )
  );
}

/** Finds the checks that use a channel now, and counts the checks that would use it as a default. */
import type { AlertRoute } from '../../../contracts/escalation';
import { selectChannels } from '../../../domain/alerting/select-channels';
import type { AlertChannel, AlertPolicy } from '../data/api-types';
import { type Alerting, findPolicy } from './recipients';

type Nameable = Pick<AlertChannel, 'id' | 'type' | 'isDefault'>;

interface User {
  readonly id: string;
  readonly name: string;
}

interface Ways {
  readonly checks: readonly (Alerting & User)[];
  /** All channels of the account. */
  readonly channels: readonly Nameable[];
  readonly policies: readonly Pick<AlertPolicy, 'key' | 'steps' | 'lastResort'>[];
  readonly routes: readonly AlertRoute[];
}

export interface ChannelUsage {
  /** The checks that use the channel by name, by a default or by their policy. */
  readonly users: readonly User[];
  readonly usedAsDefault: number;
  readonly total: number;
}

/** Finds the uses. `channel` may be a channel that is not saved yet. */
export function channelUsage(channel: Nameable, ways: Ways): ChannelUsage {
  const others = ways.channels.filter(({ id }) => id !== channel.id);
  const asDefault = { ...channel, isDefault: true };
  const dethroned = others.map((other) =>
    other.type === channel.type ? { ...other, isDefault: false } : other,
  );
  return {
    users: findUsing(channel, { ...ways, channels: [...others, channel] }),
    usedAsDefault: findUsing(asDefault, { ...ways, channels: [...dethroned, asDefault] }).length,
    total: ways.checks.length,
  };
}

function findUsing(
  channel: Nameable,
  { checks, channels, policies, routes }: Ways,
): readonly User[] {
  const keys = policies
    .filter(({ steps, lastResort }) =>
      [lastResort, ...steps.flatMap(({ notify }) => notify)].includes(channel.id),
    )
    .map(({ key }) => key);
  return checks.filter((check) => {
    if (selectChannels(check.alerts.channels, channels).includes(channel)) return true;
    const policy = findPolicy(check, routes);
    return policy !== null && keys.includes(policy);
  });
}

/**
 * Returns a sentence like `As a default, all 57 checks would use it.` Returns null if no more checks would use it than
 * now.
 */
export function asDefaultText({ users, usedAsDefault, total }: ChannelUsage): string | null {
  if (usedAsDefault <= users.length) return null;
  return `As a default, ${formatShare(usedAsDefault, total)} would use it.`;
}

/** Returns a sentence like `If on, all 57 checks use it. If off, only the checks that name it do.` */
export function defaultText({ usedAsDefault, total }: ChannelUsage): string {
  if (total === 0) return 'Checks alert the default channels unless you pick others.';
  const share =
    usedAsDefault === total
      ? `all ${checkWords(total)}`
      : `${usedAsDefault} of ${checkWords(total)}`;
  return `If on, ${share} use it. If off, only the checks that name it do.`;
}

function formatShare(count: number, total: number): string {
  if (total === 1) return 'the only check';
  return count === total ? `all ${total} checks` : `${count} of ${total} checks`;
}

function checkWords(count: number): string {
  return count === 1 ? '1 check' : `${count} checks`;
}

/** Finds the alert channels that a rule selects: by id, by type, or all defaults. Pure. */

/** The reference that selects every default channel of an account. */
export const DEFAULT_CHANNELS = 'default';

interface Nameable {
  readonly id: string;
  readonly type: string;
  readonly isDefault: boolean;
}

/** Returns the selected channels. `channels` are all channels of the account. */
export function selectChannels<Channel extends Nameable>(
  references: readonly string[],
  channels: readonly Channel[],
): readonly Channel[] {
  const ofTypes = references.flatMap((type) => channelsOfType(type, channels));
  return channels.filter(
    (channel) =>
      references.includes(channel.id) ||
      ofTypes.includes(channel) ||
      (channel.isDefault && references.includes(DEFAULT_CHANNELS)),
  );
}

/** Returns the default channels of the type, or its oldest channel if there are none. */
function channelsOfType<Channel extends Nameable>(
  type: string,
  channels: readonly Channel[],
): readonly Channel[] {
  const all = channels
    .filter((channel) => channel.type === type)
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const defaults = all.filter(({ isDefault }) => isDefault);
  return defaults.length > 0 ? defaults : all.slice(0, 1);
}

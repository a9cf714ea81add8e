/** Which channels name which secrets of their account. It shows no value. */
import type { AlertChannel } from '../../models/alerting/alert-channels';
import { findChannel } from '../../notify/channels/registry';
import type { Dependencies } from '../ports/dependencies';
import { openConfig, readChannels } from './alert-destinations';
import { secretNamesOf } from './channel-config';

type Needs = Pick<Dependencies, 'stores' | 'sealers'>;

interface ChannelUse {
  readonly id: string;
  readonly secretNames: readonly string[];
}

/** Every channel of the account, oldest first, with the names that stand in it. */
export async function readChannelUses(
  needs: Needs,
  accountId: string,
): Promise<readonly ChannelUse[]> {
  const channels = await readChannels(needs.stores.alertChannels, accountId);
  return channels
    .toReversed()
    .map((alertChannel) => ({ id: alertChannel.id, secretNames: namesIn(needs, alertChannel) }));
}

/** As shown, where a key that is gone sealed it: names in the middle of a hidden text are missed then. */
function namesIn({ sealers }: Needs, alertChannel: AlertChannel): readonly string[] {
  const channel = findChannel(alertChannel.type);
  if (channel === undefined) return [];
  try {
    return secretNamesOf(channel, openConfig(sealers.stored, alertChannel).config);
  } catch {
    return secretNamesOf(channel, alertChannel.config);
  }
}

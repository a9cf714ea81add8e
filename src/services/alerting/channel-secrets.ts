/** Finds the secrets of channels. */
import type { AlertChannel } from '../../models/alerting/alert-channels';
import { findChannel } from '../../notify/channels/registry';
import type { Dependencies } from '../ports/dependencies';
import { openConfig, readChannels } from './alert-destinations';
import { listSecretNames } from './channel-config';

type Needs = Pick<Dependencies, 'stores' | 'sealers'>;

interface ChannelUse {
  readonly id: string;
  readonly secretNames: readonly string[];
}

/** Every channel of the account, oldest first, with the names of the secrets it refers to. */
export async function readChannelUses(
  needs: Needs,
  accountId: string,
): Promise<readonly ChannelUse[]> {
  const channels = await readChannels(needs.stores.alertChannels, accountId);
  return channels
    .toReversed()
    .map((alertChannel) => ({ id: alertChannel.id, secretNames: namesIn(needs, alertChannel) }));
}

/** If the configuration cannot be decrypted, searches the masked one, which hides some names. */
function namesIn({ sealers }: Needs, alertChannel: AlertChannel): readonly string[] {
  const channel = findChannel(alertChannel.type);
  if (channel === undefined) return [];
  try {
    return listSecretNames(channel, openConfig(sealers.stored, alertChannel).config);
  } catch {
    return listSecretNames(channel, alertChannel.config);
  }
}

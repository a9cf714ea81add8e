/**
 * Updates a channel whose service has reported a new recipient. For example, Telegram reports a new chat id after a
 * group was upgraded. Sends nothing.
 */
import type { AlertChannel, AlertChannelStore } from '../../models/alerting/alert-channels';
import type { Config } from '../../notify/channels/channel';
import { findChannel } from '../../notify/channels/registry';
import type { Clock } from '../../platform/clock';
import type { TextSealer } from '../../platform/sealing';
import { openConfig, sealDestinations } from './alert-destinations';
import { maskConfig } from './channel-config';

/** Maximum number of tries. A try fails if another writer changes the channel at the same time. */
const TRIES_MAX = 3;

export interface NewRecipientNeeds {
  readonly channels: Pick<AlertChannelStore, 'find' | 'replace'>;
  readonly sealer: TextSealer;
  readonly clock: Clock;
}

interface NewRecipient {
  readonly accountId: string;
  readonly channelId: string;
  /** The fields with which the alert was sent, and the new fields that the service has reported. */
  readonly before: Config;
  readonly after: Config;
}

/**
 * Stores the new fields. Does nothing if the channel was deleted, or if its fields were changed since the alert was
 * sent. Idempotent.
 */
export async function storeNewRecipient(
  needs: NewRecipientNeeds,
  move: NewRecipient,
): Promise<void> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const stored = await needs.channels.find(move.accountId, move.channelId);
    const moved = stored === null ? null : movedChannel(needs, stored, move);
    if (stored === null || moved === null) return;
    if (await needs.channels.replace(move.accountId, moved, stored.version)) return;
  }
}

/** Returns the channel with the new fields. Returns null if its fields have changed since the alert was sent. */
function movedChannel(
  { sealer, clock }: NewRecipientNeeds,
  stored: AlertChannel,
  { before, after }: NewRecipient,
): AlertChannel | null {
  const channel = findChannel(stored.type);
  if (channel === undefined) return null;
  const { config: known, signingSecret } = openConfig(sealer, stored);
  if (Object.keys(after).some((name) => known[name] !== before[name])) return null;
  const config = { ...known, ...after };
  return {
    ...stored,
    config: maskConfig(channel, config),
    places: sealDestinations(sealer, stored.accountId, { channel, config, signingSecret }),
    version: stored.version + 1,
    updatedAtMs: clock.now(),
  };
}

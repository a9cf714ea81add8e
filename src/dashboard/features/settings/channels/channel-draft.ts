/** An alert channel as it is typed, and as /v1 takes it. Pure. */
import type { AlertChannel } from '../../../shared/data/api-types';

export interface ChannelDraft {
  readonly type: AlertChannel['type'];
  readonly name: string;
  readonly isDefault: boolean;
  readonly emails: readonly string[];
  /** Of Slack and webhooks; empty for one that is kept. */
  readonly address: string;
}

/** The address comes back masked; it is typed anew or left as it is. */
export function draftOf(channel: AlertChannel | null): ChannelDraft {
  return {
    type: channel?.type ?? 'email',
    name: channel?.name ?? '',
    isDefault: channel?.isDefault ?? false,
    emails: channel?.emails ?? [],
    address: '',
  };
}

export function addressFieldOf(type: AlertChannel['type']): 'emails' | 'webhookUrl' | 'url' {
  if (type === 'email') return 'emails';
  return type === 'slack' ? 'webhookUrl' : 'url';
}

/** The body of POST, or of PATCH: the type never changes, and an empty address is left out. */
export function bodyOf(
  draft: ChannelDraft,
  before: AlertChannel | null,
): Readonly<Record<string, unknown>> {
  const { type, name, isDefault } = draft;
  const isKept = before !== null && type !== 'email' && draft.address === '';
  const address = type === 'email' ? draft.emails : draft.address;
  return {
    name,
    ...(before === null ? { type } : {}),
    // A channel stops to be the default by another becoming it.
    ...(isDefault && before?.isDefault !== true ? { isDefault } : {}),
    ...(isKept ? {} : { [addressFieldOf(type)]: address }),
  };
}

/** Names the recipient of an alert in the words of people: the channel by its name rather than by its URL. Pure. */

/** `On call`, `Team (m***@example.com)`, `m***@example.com`; null: no channel, or one that is gone. */
export function recipientWords(recipient: string, channelName: string | null): string {
  if (channelName === null) return recipient;
  return /^https?:/i.test(recipient) ? channelName : `${channelName} (${recipient})`;
}

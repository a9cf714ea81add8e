/** Names the recipient of an alert for people: by the name of the channel rather than by its URL. Pure. */

/**
 * For example `On call`, `Team (m***@example.com)` or `m***@example.com`. null if there is no channel, or if it was
 * deleted.
 */
export function recipientWords(recipient: string, channelName: string | null): string {
  if (channelName === null) return recipient;
  return /^https?:/i.test(recipient) ? channelName : `${channelName} (${recipient})`;
}

/** Names the recipient of an alert for people: by the name of the channel rather than by its URL. Pure. */

/**
 * Returns a text like `On call`, `Team (m***@example.com)` or `m***@example.com`. `channelName` is null if there is no
 * channel, or if it was deleted.
 */
export function recipientWords(recipient: string, channelName: string | null): string {
  if (channelName === null) return recipient;
  return /^https?:/i.test(recipient) ? channelName : `${channelName} (${recipient})`;
}

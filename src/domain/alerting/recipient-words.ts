/** Names the recipient of an alert for people: by the name of the channel rather than by its URL or address. Pure. */

/**
 * Returns a text like `On call`, or the masked `m***@example.com` if there is no channel. `channelName` is null if there
 * is no channel, or if it was deleted.
 */
export function recipientWords(recipient: string, channelName: string | null): string {
  return channelName ?? recipient;
}

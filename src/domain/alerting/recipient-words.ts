/** The name of an alert's recipient for people: the name of the channel rather than its URL. Pure. */

/** For example `On call`, `Team (m***@example.com)` or `m***@example.com`. null: no channel, or a deleted one. */
export function recipientWords(recipient: string, channelName: string | null): string {
  if (channelName === null) return recipient;
  return /^https?:/i.test(recipient) ? channelName : `${channelName} (${recipient})`;
}

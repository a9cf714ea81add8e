/**
 * The links of subscribers: one for confirming a sign-up, and one for changing or ending a subscription. Their content
 * is encrypted, so that they cannot be forged or read.
 */
import { z } from 'zod';
import { SUBSCRIPTION_LINK_CONTEXT } from '../../contracts/seal-contexts';
import type { TextSealer } from '../../platform/sealing';

const linkShape = z.object({
  accountId: z.string(),
  pageId: z.string(),
  subscriberId: z.string(),
  /**
   * The time at which the link expires. null: it expires together with the subscription. Only links that expire can
   * confirm a sign-up.
   */
  untilMs: z.number().nullable(),
});

export type SubscriptionLink = z.output<typeof linkShape>;

/** Opening the page must change nothing, because mail servers open links, too. */
export function subscriptionUrl(
  { seal }: Pick<TextSealer, 'seal'>,
  { publicUrl, slug }: { readonly publicUrl: string; readonly slug: string },
  link: SubscriptionLink,
): string {
  const token = seal(JSON.stringify(link), SUBSCRIPTION_LINK_CONTEXT);
  return `${publicUrl}/status/${slug}/subscription?token=${token}`;
}

/** Returns null if the token is not from one of our links, or was encrypted with a key that no longer exists. */
export function readSubscriptionLink(
  { open }: Pick<TextSealer, 'open'>,
  token: string,
): SubscriptionLink | null {
  try {
    return linkShape.parse(JSON.parse(open(token, SUBSCRIPTION_LINK_CONTEXT)));
  } catch {
    return null;
  }
}

/**
 * The links of subscribers: to confirm a sign-up, and to change or end a subscription. Their content is encrypted, so
 * they cannot be forged or read.
 */
import { z } from 'zod';
import { SUBSCRIPTION_LINK_CONTEXT } from '../../contracts/seal-contexts';
import type { TextSealer } from '../../platform/sealing';

const linkShape = z.object({
  accountId: z.string(),
  pageId: z.string(),
  subscriberId: z.string(),
  /**
   * When the link expires. null means together with the subscription. Only expiring links can
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

/** null if not one of our links, or encrypted with a removed key. */
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

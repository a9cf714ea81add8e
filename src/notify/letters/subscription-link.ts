/**
 * The links of subscribers: one to confirm a sign-up, and one to change or end a subscription. Their content is sealed,
 * so that they cannot be forged or read.
 */
import { z } from 'zod';
import { SUBSCRIPTION_LINK_CONTEXT } from '../../contracts/seal-contexts';
import type { TextSealer } from '../../platform/sealing';

const linkShape = z.object({
  accountId: z.string(),
  pageId: z.string(),
  subscriberId: z.string(),
  /** When the link expires; null: together with the subscription. Only links that expire can confirm a sign-up. */
  untilMs: z.number().nullable(),
});

export type SubscriptionLink = z.output<typeof linkShape>;

/** Opening the page must change nothing, since mail servers open links as well. */
export function subscriptionUrl(
  { seal }: Pick<TextSealer, 'seal'>,
  { publicUrl, slug }: { readonly publicUrl: string; readonly slug: string },
  link: SubscriptionLink,
): string {
  const token = seal(JSON.stringify(link), SUBSCRIPTION_LINK_CONTEXT);
  return `${publicUrl}/status/${slug}/subscription?token=${token}`;
}

/** null: it is not one of our links, or it was sealed with a key that no longer exists. */
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

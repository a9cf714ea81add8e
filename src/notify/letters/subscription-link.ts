/**
 * The links of subscribers: one by which a sign-up is confirmed, and one by which a subscription is changed and
 * ended. What they say is sealed, so that nobody makes one up or reads whose it is.
 */
import { z } from 'zod';
import { SUBSCRIPTION_LINK_CONTEXT } from '../../contracts/seal-contexts';
import type { TextSealer } from '../../platform/sealing';

const linkShape = z.object({
  accountId: z.string(),
  pageId: z.string(),
  subscriberId: z.string(),
  /** When it ends; null: with the subscription. Only such a one confirms. */
  untilMs: z.number().nullable(),
});

export type SubscriptionLink = z.output<typeof linkShape>;

/** Opening it changes nothing, since mail servers open links, too. */
export function subscriptionUrl(
  { seal }: Pick<TextSealer, 'seal'>,
  { publicUrl, slug }: { readonly publicUrl: string; readonly slug: string },
  link: SubscriptionLink,
): string {
  const token = seal(JSON.stringify(link), SUBSCRIPTION_LINK_CONTEXT);
  return `${publicUrl}/status/${slug}/subscription?token=${token}`;
}

/** null: it is none of ours, or sealed with a key that is gone. */
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

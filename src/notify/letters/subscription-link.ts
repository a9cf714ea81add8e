/**
 * Links for subscribers: to confirm a sign-up, and to change or end a subscription. The content of a link is encrypted,
 * so that the link can be neither forged nor read.
 */
import { z } from 'zod';
import { SUBSCRIPTION_LINK_CONTEXT } from '../../contracts/seal-contexts';
import type { TextSealer } from '../../platform/sealing';

const linkShape = z.object({
  accountId: z.string(),
  pageId: z.string(),
  subscriberId: z.string(),
  /**
   * When the link expires. null means that the link is valid until the subscription ends. Only a link that expires can
   * confirm a sign-up.
   */
  untilMs: z.number().nullable(),
});

export type SubscriptionLink = z.output<typeof linkShape>;

/** Returns the link. Opening its page must change nothing, because mail servers also open links. */
export function buildSubscriptionUrl(
  { seal }: Pick<TextSealer, 'seal'>,
  { publicUrl, slug }: { readonly publicUrl: string; readonly slug: string },
  link: SubscriptionLink,
): string {
  const token = seal(JSON.stringify(link), SUBSCRIPTION_LINK_CONTEXT);
  return `${publicUrl}/status/${slug}/subscription?token=${token}`;
}

/** Reads a link. null if the link is not from this installation, or was encrypted with a key that has been removed. */
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

/**
 * The link of a mail by which its recipient acknowledges the incident. What it says is sealed, so that nobody
 * makes one up or reads who it is of; whether it has been used is the business of the incident.
 */
import { z } from 'zod';
import { ACKNOWLEDGE_LINK_CONTEXT } from '../contracts/seal-contexts';
import type { TextSealer } from '../platform/sealing';

const linkShape = z.object({
  accountId: z.string(),
  incidentId: z.string(),
  email: z.string(),
  /** Of the mail: each has a link of its own. */
  deliveryId: z.string(),
});

export type AcknowledgeLink = z.output<typeof linkShape>;

/** The token stands behind the `#`, which browsers send to no server and put into no Referer. */
export function acknowledgeUrl(
  { seal }: Pick<TextSealer, 'seal'>,
  publicUrl: string,
  link: AcknowledgeLink,
): string {
  const token = seal(JSON.stringify(link), ACKNOWLEDGE_LINK_CONTEXT);
  return `${publicUrl}/acknowledge#token=${token}`;
}

/** null: it is none of ours, or sealed with a key that is gone. */
export function readAcknowledgeLink(
  { open }: Pick<TextSealer, 'open'>,
  token: string,
): AcknowledgeLink | null {
  try {
    return linkShape.parse(JSON.parse(open(token, ACKNOWLEDGE_LINK_CONTEXT)));
  } catch {
    return null;
  }
}

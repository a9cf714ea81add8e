/**
 * The link with which a recipient acknowledges or snoozes an incident. The content of the link is encrypted, so that
 * the link can be neither forged nor read.
 */
import { z } from 'zod';
import type { AlertMessage } from '../contracts/alerts';
import { ACKNOWLEDGE_LINK_CONTEXT } from '../contracts/seal-contexts';
import { cutText } from '../domain/text/cut-text';
import type { TextSealer } from '../platform/sealing';

const BY_MAX = 254;

const linkShape = z.object({
  accountId: z.string(),
  incidentId: z.string(),
  /**
   * The person who acknowledges with the link: the email address of the recipient, or `someone via` and the name of the
   * channel.
   */
  by: z.string(),
  /** Id of the message. Each message has its own link. */
  deliveryId: z.string(),
});

export type AcknowledgeLink = z.output<typeof linkShape>;

/** Returns the link. null if there is no incident to acknowledge. */
export function buildAcknowledgeUrl(
  { seal }: Pick<TextSealer, 'seal'>,
  publicUrl: string,
  {
    alert: { kind, health, accountId, incidentId },
    by,
    id: deliveryId,
  }: {
    readonly alert: Pick<AlertMessage, 'kind' | 'health' | 'accountId' | 'incidentId'>;
    readonly by: string;
    readonly id: string;
  },
): string | null {
  if (!isAcknowledgeable({ kind, health }) || incidentId === null) return null;
  const link: AcknowledgeLink = { accountId, incidentId, by: cutText(by, BY_MAX), deliveryId };
  return buildAcknowledgePageUrl(publicUrl, seal(JSON.stringify(link), ACKNOWLEDGE_LINK_CONTEXT));
}

/** False for a notice about flapping of a check that is up, because its incident is closed. */
export function isAcknowledgeable({
  kind,
  health,
}: Pick<AlertMessage, 'kind' | 'health'>): boolean {
  return kind === 'failure' || kind === 'reminder' || (kind === 'flapping' && health === 'down');
}

/**
 * Returns the URL of the page that the link leads to. Opening this page must change nothing, because services open
 * links to show previews.
 */
export function buildAcknowledgePageUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/acknowledge?token=${token}`;
}

/** Reads a link. null if the link is not from this installation, or was encrypted with a key that has been removed. */
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

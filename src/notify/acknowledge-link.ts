/**
 * The link of an alert by which its recipient acknowledges or snoozes the incident. What it says is sealed, so that
 * nobody makes one up or reads who it is of; whether it has been used is the business of the incident.
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
  /** Who acts by it: an email address, or whoever reads a channel. */
  by: z.string(),
  /** Of the message: each has a link of its own. */
  deliveryId: z.string(),
});

export type AcknowledgeLink = z.output<typeof linkShape>;

/** null: there is nothing that anybody could acknowledge. */
export function acknowledgeUrl(
  { seal }: Pick<TextSealer, 'seal'>,
  publicUrl: string,
  {
    alert: { kind, accountId, incidentId },
    by,
    id: deliveryId,
  }: {
    readonly alert: Pick<AlertMessage, 'kind' | 'accountId' | 'incidentId'>;
    readonly by: string;
    readonly id: string;
  },
): string | null {
  if (!isAcknowledgeable(kind) || incidentId === null) return null;
  const link: AcknowledgeLink = { accountId, incidentId, by: cutText(by, BY_MAX), deliveryId };
  return acknowledgePageUrl(publicUrl, seal(JSON.stringify(link), ACKNOWLEDGE_LINK_CONTEXT));
}

export function isAcknowledgeable(kind: AlertMessage['kind']): boolean {
  return kind === 'failure' || kind === 'reminder' || kind === 'flapping';
}

/** Opening it changes nothing, since services open links for their previews. */
export function acknowledgePageUrl(publicUrl: string, token: string): string {
  return `${publicUrl}/acknowledge?token=${token}`;
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

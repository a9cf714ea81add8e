/** The acknowledgement of whoever holds the link of a mail. The link is the only proof, and is good for nothing else. */
import { readAcknowledgeLink } from '../../notify/acknowledge-link';
import { AppError } from '../../platform/errors';
import type { LinkAcknowledgementResponse } from '../../schemas/responses/alerts';
import { asThrottledTry, tokenMarks } from '../accounts/login-throttle';
import type { Principal } from '../accounts/principal';
import type { Dependencies } from '../ports/dependencies';
import { acknowledgeIncident } from './silence-incident';
import { findWholeIncident } from './whole-incident';

type Needs = Pick<Dependencies, 'stores' | 'clock' | 'sleep' | 'gateway' | 'sealers'>;

export interface LinkAcknowledged {
  readonly response: LinkAcknowledgementResponse;
  readonly actedAs: Pick<Principal, 'accountId' | 'actor'>;
}

/** Each link takes effect once. Throws `invalid_token`, `expired_token` and `already_finished`. */
export async function acknowledgeByLink(
  needs: Needs,
  { token, address }: { readonly token: string; readonly address: string },
): Promise<LinkAcknowledged> {
  return asThrottledTry(needs, tokenMarks(address), async () => {
    const { stores, sealers } = needs;
    const link = readAcknowledgeLink(sealers.stored, token);
    const { accountId = '', incidentId: id = '', email = '', deliveryId = '' } = link ?? {};
    const before = link === null ? null : await findWholeIncident(needs, accountId, id);
    if (before === null) throw new AppError('invalid_token', 'This link is not known.');
    if (before.closedAtMs !== null)
      throw new AppError('already_finished', 'The incident is resolved.');
    const caller = { accountId, by: email };
    const acknowledgement = { id, link: deliveryId };
    const incident = await acknowledgeIncident(needs, caller, acknowledgement);
    const { state, acknowledgedAt, acknowledgedBy } = incident;
    const user = await stores.users.findByEmail(email);
    const actor = { type: 'user', id: user?.id ?? email, name: email } as const;
    const response = { id: incident.id, state, acknowledgedAt, acknowledgedBy };
    return { response, actedAs: { accountId, actor } };
  });
}

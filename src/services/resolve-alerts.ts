/** What the `alerts` of a body come to when it is saved: the rule, and where it leads at this time. */
import type { AlertTarget } from '../contracts/alerts';
import type { Alerts } from '../schemas/alerts';
import { isChannelType, readChannels, targetsOfChannels, targetsOfEmails } from './alert-places';
import type { Dependencies } from './dependencies';
import { refuseProblems } from './field-problems';
import type { ResourceRow } from './rows';

export type AlertFields = Pick<ResourceRow, 'alerts' | 'alertTargets'>;

type Needs = Pick<Dependencies, 'stores' | 'sealers'>;

/** Throws `validation_failed` for channels that the account does not have. */
export async function resolveAlerts(
  { stores, sealers }: Needs,
  accountId: string,
  alerts: Alerts,
): Promise<AlertFields> {
  const { channels: references, emails } = alerts;
  const channels =
    references.length === 0 ? [] : await readChannels(stores.alertChannels, accountId);
  const known = new Set(channels.map(({ id }) => id));
  refuseProblems(
    references.flatMap((reference, index) =>
      isChannelType(reference) || known.has(reference)
        ? []
        : [
            {
              path: `alerts.channels[${index}]`,
              code: 'invalid_value',
              message: 'is not a channel of this account',
            },
          ],
    ),
  );
  const alertTargets = [
    ...targetsOfChannels(references, channels),
    ...targetsOfEmails(sealers.stored, accountId, emails),
  ];
  return { alerts, alertTargets };
}

/** Sealing the same address again gives another text; what is there already is kept. */
export function keepingSealed(fields: AlertFields, before: readonly AlertTarget[]): AlertFields {
  const keptOf = (target: AlertTarget): AlertTarget =>
    before.find(({ key, channelId }) => key === target.key && channelId === null) ?? target;
  return { ...fields, alertTargets: fields.alertTargets.map(keptOf) };
}

/** Says in one line who gets the alerts of a check. */
import type { Monitor } from '../data/api-types';
import { useFindRecipients } from './use-find-recipients';
import { usePolicies } from './use-policies';

const NAMED_MAX = 3;

/** Empty until the channels are read. */
export function useAlertSummary({ policy, ...alerts }: Monitor['alerts']): string {
  const policies = usePolicies();
  const findRecipients = useFindRecipients();
  if (!alerts.onFailure) return 'No alerts on failure';
  if (policy !== null)
    return `Alert policy ${policies.find(({ value }) => value === policy)?.label ?? policy}`;
  if (findRecipients === null) return '';
  const { reached } = findRecipients(alerts);
  if (reached.length === 0) return 'Nobody will be alerted';
  const others = reached.length - NAMED_MAX;
  const named = reached.slice(0, NAMED_MAX).join(', ');
  return others > 0 ? `${named} and ${others} more` : named;
}

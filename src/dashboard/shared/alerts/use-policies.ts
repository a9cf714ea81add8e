/** Lists the policies of the account, which are chosen by key. */
import type { AlertPolicy, Page } from '../data/api-types';
import { useRead } from '../data/queries';

interface PolicyOption {
  readonly value: string;
  readonly label: string;
}

export function usePolicies(): readonly PolicyOption[] {
  const { data } = useRead<Page<AlertPolicy>>('/v1/alert-policies?limit=100');
  return (data?.data ?? []).map(({ key, name }) => ({ value: key, label: name }));
}

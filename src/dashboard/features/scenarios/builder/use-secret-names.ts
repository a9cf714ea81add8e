/** The names of the stored secrets. The service never returns their values. */
import type { Page, Secret } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';

export function useSecretNames(): readonly string[] {
  const { data } = useRead<Page<Secret>>('/v1/secrets?limit=500');
  return (data?.data ?? []).map(({ name }) => name);
}

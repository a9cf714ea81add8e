/** Where the service reaches Temporal; it tells its owners. */
import type { AccountDetail } from './api-types';
import { useRead } from './queries';
import { useCan } from './session';

/** null while it is not known, and for those who are not told. */
export function useTemporalAddress(): string | null {
  const isAdmin = useCan('admin');
  const { data } = useRead<AccountDetail>('/v1/account?include=service', { enabled: isAdmin });
  return data?.service?.temporalAddress ?? null;
}

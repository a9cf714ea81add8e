/** The Temporal server that the service uses; only administrators may read it. */
import type { AccountDetail } from './api-types';
import { useRead } from './queries';
import { useCan } from './session';

/** null until it is read, and for people who may not read it. */
export function useTemporalAddress(): string | null {
  const isAdmin = useCan('admin');
  const { data } = useRead<AccountDetail>('/v1/account?include=service', { enabled: isAdmin });
  return data?.service?.temporalAddress ?? null;
}

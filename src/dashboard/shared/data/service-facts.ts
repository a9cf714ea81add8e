/** Facts about this installation for owners, such as its URLs. */
import type { AccountDetail } from './api-types';
import { useRead } from './queries';
import { useMayRead } from './session';

type ServiceFacts = NonNullable<AccountDetail['service']>;

/** Returns the facts. null until they are read, and for people who may not read them. */
export function useServiceFacts(): ServiceFacts | null {
  const isAdmin = useMayRead('admin');
  const { data } = useRead<AccountDetail>('/v1/account?include=service', { enabled: isAdmin });
  return data?.service ?? null;
}

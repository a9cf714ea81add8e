/** Who may see a status page, as it is chosen and as /v1 takes it. Pure. */
import type { StatusPage } from '../../shared/data/api-types';

export interface AccessDraft {
  readonly type: StatusPage['access']['type'];
  /** Empty: the password that is saved. */
  readonly password: string;
  readonly ranges: readonly string[];
}

export function accessDraftOf(page: StatusPage | null): AccessDraft {
  const access: StatusPage['access'] = page?.access ?? { type: 'public' };
  const { type, ranges = [] } = access;
  return { type, ranges, password: '' };
}

/** Only what belongs to the chosen type. */
export function accessBodyOf({ type, password, ranges }: AccessDraft) {
  if (type === 'password') return password === '' ? { type } : { type, password };
  return type === 'ips' ? { type, ranges } : { type };
}

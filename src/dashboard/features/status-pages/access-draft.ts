/** The draft of the access to a status page, and its body for /v1. Pure. */
import type { StatusPage } from '../../shared/data/api-types';

export interface AccessDraft {
  readonly type: StatusPage['access']['type'];
  /** Empty to keep the saved password. */
  readonly password: string;
  readonly ranges: readonly string[];
}

export function createAccessDraft(page: StatusPage | null): AccessDraft {
  const access: StatusPage['access'] = page?.access ?? { type: 'public' };
  const { type, ranges = [] } = access;
  return { type, ranges, password: '' };
}

/** Builds the body with only the fields of the chosen type. */
export function buildAccessBody({ type, password, ranges }: AccessDraft) {
  if (type === 'password') return password === '' ? { type } : { type, password };
  return type === 'ips' ? { type, ranges } : { type };
}

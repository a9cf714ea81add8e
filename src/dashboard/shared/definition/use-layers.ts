/** The profile of a draft. Lists the profiles to choose from, and switches fields between own and inherited values. */
import { useEffect, useRef } from 'react';
import { listInheritableNames } from '../../../schemas/profiles/profile-fields';
import type { AccountDetail, Page, Profile } from '../data/api-types';
import { useRead } from '../data/queries';
import type { DefinitionKind } from './definition-kind';
import { type LayeredDraft, withInherited, withProfile } from './layered-draft';

export interface Layering {
  /** The profiles of the account. */
  readonly profiles: readonly Profile[];
  /** The key of the chosen profile. null for none. */
  readonly chosen: string | null;
  /** The values of the chosen profile. Empty while they are read. */
  readonly set: Profile['set'];
  readonly own: readonly string[];
  /** Chooses a profile. null for no profile. */
  readonly choose: (key: string | null) => void;
  /** Uses the profile's value of the field again. */
  readonly inherit: (field: string) => void;
}

interface Drafted<Draft> {
  readonly kind: DefinitionKind<Draft>;
  readonly draft: Draft;
  readonly setDraft: (draft: Draft) => void;
  readonly isNew: boolean;
}

export function useLayers<Draft extends LayeredDraft>(drafted: Drafted<Draft>): Layering {
  const { kind, draft, setDraft } = drafted;
  const { data } = useRead<Page<Profile>>('/v1/profiles?limit=100');
  const profiles = data?.data ?? [];
  const find = (key: string | null): Profile | null =>
    profiles.find((profile) => profile.key === key) ?? null;
  const set = find(draft.profile)?.set ?? {};
  const choose = (key: string | null): void =>
    setDraft(withProfile(kind, draft, { profile: find(key), set }));
  useDefaultProfile(drafted, profiles, choose);
  return {
    profiles,
    chosen: draft.profile === '' ? null : draft.profile,
    set,
    own: draft.own ?? [],
    choose,
    inherit: (field) => setDraft(withInherited(kind, draft, { set, field })),
  };
}

/** Gives a new definition the default profile of the account, if it fits the type. Copies keep their profile. */
function useDefaultProfile<Draft extends LayeredDraft>(
  { kind, draft, isNew }: Drafted<Draft>,
  profiles: readonly Profile[],
  choose: (key: string) => void,
): void {
  const isOffered = isNew && draft.own !== null && draft.profile === '';
  const { data: account } = useRead<AccountDetail>('/v1/account', { enabled: isOffered });
  const isDone = useRef(false);
  const found = profiles.find(({ key }) => key === account?.defaultProfile);
  const names = listInheritableNames(readType(kind, draft));
  const isFitting = found !== undefined && Object.keys(found.set).every((name) => names.has(name));
  useEffect(() => {
    if (!isOffered || !isFitting || isDone.current) return;
    isDone.current = true;
    choose(found.key);
  });
}

function readType<Draft>({ path, toBody }: DefinitionKind<Draft>, draft: Draft): string {
  if (path === '/v1/scenarios') return 'scenario';
  const { type } = toBody(draft);
  return typeof type === 'string' ? type : 'http';
}

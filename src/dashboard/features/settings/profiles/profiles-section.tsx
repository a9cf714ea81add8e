/** The profiles of the account: the fields that each sets, and the checks that use it. */
import { Text } from '@mantine/core';
import { useAct } from '../../../shared/actions/use-act';
import type { AccountDetail, Profile } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { SmallBadge } from '../../../shared/ui/small-badge';
import { SmallButton } from '../../../shared/ui/small-button';
import { KeyedSection } from '../keyed/keyed-section';
import { UsedByChecks } from '../used-by';
import { describeProfile } from './profile-draft';
import { ProfileForm } from './profile-form';
import { PROFILES } from './strings';

export function ProfilesSection() {
  return (
    <KeyedSection<Profile>
      kind={PROFILES}
      Form={ProfileForm}
      marks={(profile) => <DefaultMark profile={profile} />}
      actions={(profile) => <DefaultButton profile={profile} />}
    >
      {(profile) => (
        <>
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {describeProfile(profile)}
          </Text>
          <UsedByChecks filter={{ profile: profile.key }} />
        </>
      )}
    </KeyedSection>
  );
}

function useDefaultProfile(): string | null | undefined {
  return useRead<AccountDetail>('/v1/account').data?.defaultProfile;
}

function DefaultMark({ profile: { key } }: { readonly profile: Profile }) {
  return useDefaultProfile() === key && <SmallBadge text="Default for new checks" />;
}

/** Makes the profile the default, or removes it as the default. Rendered only for admins. */
function DefaultButton({ profile: { key, name } }: { readonly profile: Profile }) {
  const current = useDefaultProfile();
  const { act, isPending } = useAct(['/v1/account']);
  const isAdmin = useCan('admin');
  if (!isAdmin || current === undefined) return null;
  const isDefault = current === key;
  const change = (): void =>
    act(
      {
        method: 'PATCH',
        path: '/v1/account',
        body: { defaultProfile: isDefault ? null : key },
      },
      { done: isDefault ? 'New checks have no profile.' : `New checks use ${name}.` },
    );
  return (
    <SmallButton
      onClick={change}
      loading={isPending}
      aria-label={isDefault ? `Stop using ${name} for new checks` : `Use ${name} for new checks`}
    >
      {isDefault ? 'Remove default' : 'Make default'}
    </SmallButton>
  );
}

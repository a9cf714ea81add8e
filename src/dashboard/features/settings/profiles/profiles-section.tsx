/** The profiles of the account: the fields that each sets, and the checks that use it. */
import { Anchor, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useAct } from '../../../shared/actions/use-act';
import type {
  AccountDetail,
  Monitor,
  Page,
  Profile,
  Scenario,
} from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { SmallBadge } from '../../../shared/ui/small-badge';
import { SmallButton } from '../../../shared/ui/small-button';
import { KeyedSection } from '../keyed/keyed-section';
import { describeFields } from './profile-draft';
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
            {describeFields(profile)}
          </Text>
          <Users profileKey={profile.key} />
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

/** Only admins may change the default profile. */
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

const SHOWN_MAX = 10;

function Users({ profileKey }: { readonly profileKey: string }) {
  const query = `?profile=${encodeURIComponent(profileKey)}&limit=${SHOWN_MAX + 1}`;
  const { data: monitors } = useRead<Page<Monitor>>(`/v1/monitors${query}`);
  const { data: scenarios } = useRead<Page<Scenario>>(`/v1/scenarios${query}`);
  if (monitors === undefined || scenarios === undefined) return null;
  const users = [
    ...monitors.data.map(({ id, name }) => ({ id, name, to: `/monitors/${id}` })),
    ...scenarios.data.map(({ id, name }) => ({ id, name, to: `/scenarios/${id}` })),
  ];
  if (users.length === 0)
    return (
      <Text size="sm" c="dimmed">
        Not used
      </Text>
    );
  return (
    <Text size="sm">
      Used by{' '}
      {users.slice(0, SHOWN_MAX).map(({ id, name, to }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <Anchor component={Link} to={to} inherit>
            {name}
          </Anchor>
        </span>
      ))}
      {users.length > SHOWN_MAX && ' and more'}
    </Text>
  );
}

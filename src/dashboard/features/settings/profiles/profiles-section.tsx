/** The profiles of the account: the fields that each sets, and the checks that use it. */
import { Anchor, Group, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type {
  AccountDetail,
  Monitor,
  Page,
  Profile,
  Scenario,
} from '../../../shared/data/api-types';
import { useChange, useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { CardHead, CardList } from '../../../shared/ui/card-list';
import { notify } from '../../../shared/ui/notify';
import { SmallButton } from '../../../shared/ui/small-button';
import { SettingsList } from '../settings-list';
import { listFields } from './profile-draft';
import { ProfileForm, TOUCHED } from './profile-form';
import { TEXT } from './strings';

export function ProfilesSection() {
  const [edited, setEdited] = useState<Profile | 'new' | null>(null);
  return (
    <>
      <SettingsList<Profile>
        path="/v1/profiles"
        text={TEXT}
        mayAdd="write"
        onAdd={() => setEdited('new')}
      >
        {(all) => (
          <CardList>
            {all.map((profile) => (
              <ProfileCard key={profile.id} profile={profile} onEdit={() => setEdited(profile)} />
            ))}
          </CardList>
        )}
      </SettingsList>
      {edited !== null && (
        <ProfileForm profile={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}

interface ProfileCardProps {
  readonly profile: Profile;
  readonly onEdit: () => void;
}

function ProfileCard({ profile, onEdit }: ProfileCardProps) {
  const { id, version, key, name } = profile;
  const mayWrite = useCan('write');
  const fields = listFields(profile);
  return (
    <Paper component="li" withBorder p="sm">
      <CardHead
        actions={
          mayWrite && (
            <Group gap="xs">
              <DefaultButton profile={profile} />
              <SmallButton onClick={onEdit} aria-label={`Edit ${name}`}>
                Edit
              </SmallButton>
              <DeleteButton
                path={`/v1/profiles/${id}`}
                ifVersion={version}
                touches={TOUCHED}
                label={`Delete ${name}`}
                question={{
                  title: `Delete “${name}”?`,
                  text: 'A profile that a check uses is kept until no check uses it.',
                }}
                done="Profile deleted."
              />
            </Group>
          )
        }
      >
        <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}{' '}
          <Text span size="sm" c="dimmed" ff="monospace">
            {key}
          </Text>
        </Text>
      </CardHead>
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {fields.length === 0 ? 'Sets nothing yet' : `Sets ${fields.join(', ')}`}
      </Text>
      <Users profileKey={key} />
    </Paper>
  );
}

/** Only admins may change the default profile. */
function DefaultButton({ profile: { key, name } }: { readonly profile: Profile }) {
  const { data } = useRead<AccountDetail>('/v1/account');
  const { mutate, isPending } = useChange<AccountDetail>(['/v1/account']);
  const isAdmin = useCan('admin');
  if (!isAdmin || data === undefined) return null;
  const isDefault = data.defaultProfile === key;
  const change = (): void => {
    const body = { defaultProfile: isDefault ? null : key };
    const onSuccess = (): void =>
      notify(isDefault ? 'New checks have no profile.' : `New checks use ${name}.`);
    mutate({ method: 'PATCH', path: '/v1/account', body }, { onSuccess });
  };
  return (
    <SmallButton
      onClick={change}
      loading={isPending}
      aria-label={isDefault ? `Stop using ${name} for new checks` : `Use ${name} for new checks`}
    >
      {isDefault ? 'Default for new checks' : 'Make default'}
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
      <Text size="sm" mt="xs" c="dimmed">
        No check uses it.
      </Text>
    );
  return (
    <Text size="sm" mt="xs">
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

/** The secrets of the account: names only, their values never come back. */
import { Anchor, Button, Group, Paper, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { Secret } from '../../../shared/data/api-types';
import { useCan } from '../../../shared/data/session';
import { RelativeTime } from '../../../shared/text/time';
import { CardList } from '../../../shared/ui/card-list';
import { SettingsList } from '../settings-list';
import { SecretForm } from './secret-form';
import { TEXT } from './strings';

export function SecretsSection() {
  const [edited, setEdited] = useState<Secret | 'new' | null>(null);
  return (
    <>
      <SettingsList<Secret>
        path="/v1/secrets"
        text={TEXT}
        mayAdd="write"
        onAdd={() => setEdited('new')}
      >
        {(secrets) => (
          <CardList>
            {secrets.map((secret) => (
              <SecretCard key={secret.name} secret={secret} onEdit={() => setEdited(secret)} />
            ))}
          </CardList>
        )}
      </SettingsList>
      {edited !== null && (
        <SecretForm secret={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}

interface SecretCardProps {
  readonly secret: Secret;
  readonly onEdit: () => void;
}

function SecretCard({ secret, onEdit }: SecretCardProps) {
  const { name, version, updatedAt, usedBy } = secret;
  const mayWrite = useCan('write');
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" gap="xs">
        <Text fw={600} ff="monospace" style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        {mayWrite && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              onClick={onEdit}
              aria-label={`${TEXT.newValue} of ${name}`}
            >
              {TEXT.newValue}
            </Button>
            <DeleteButton
              path={`/v1/secrets/${encodeURIComponent(name)}`}
              ifVersion={version}
              touches={['/v1/secrets']}
              label={`Delete ${name}`}
              question={{ title: `Delete ${name}?`, text: lossOf(secret) }}
              done={TEXT.deleted}
            />
          </Group>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        Version {version}, set <RelativeTime at={updatedAt} />
      </Text>
      <Text size="sm" component="div">
        {usedBy.length === 0 ? (
          TEXT.unused
        ) : (
          <>
            Used by <Users ids={usedBy} />
          </>
        )}
      </Text>
    </Paper>
  );
}

/** The ids of monitors, scenarios and channels, as links. */
function Users({ ids }: { readonly ids: readonly string[] }) {
  return ids.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <Anchor
        component={Link}
        to={pathOf(id)}
        size="sm"
        ff="monospace"
        style={{ overflowWrap: 'anywhere' }}
      >
        {id}
      </Anchor>
    </span>
  ));
}

function pathOf(id: string): string {
  if (id.startsWith('chn_')) return '/settings/channels';
  return id.startsWith('scn_') ? `/scenarios/${id}` : `/monitors/${id}`;
}

function lossOf({ usedBy }: Secret): string {
  if (usedBy.length === 0) return 'No monitor, scenario or channel uses it.';
  return `It is used by ${usedBy.join(', ')}. Their next checks and alerts will fail.`;
}

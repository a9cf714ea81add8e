/** The secrets of the account: names only. The service never returns their values. */
import { Text } from '@mantine/core';
import { DeleteButton } from '../../../shared/actions/delete-button';
import type { AlertChannel, Page, Secret } from '../../../shared/data/api-types';
import { useChecks } from '../../../shared/data/checks';
import { useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { RelativeTime } from '../../../shared/text/time';
import { CardItem } from '../../../shared/ui/card-list';
import { SmallButton } from '../../../shared/ui/small-button';
import { ObjectSection } from '../object-section';
import { UsedBy, type User } from '../used-by';
import { SecretForm } from './secret-form';
import { TEXT } from './strings';

export function SecretsSection() {
  return (
    <ObjectSection<Secret>
      path="/v1/secrets"
      text={TEXT}
      card={(secret, edit) => <SecretCard key={secret.name} secret={secret} onEdit={edit} />}
      form={(secret, close) => <SecretForm secret={secret} onClose={close} />}
    />
  );
}

interface SecretCardProps {
  readonly secret: Secret;
  readonly onEdit: () => void;
}

function SecretCard({ secret, onEdit }: SecretCardProps) {
  const { name, version, updatedAt, usedBy, hosts } = secret;
  const mayWrite = useCan('write');
  const users = useUsers(usedBy);
  return (
    <CardItem
      name={
        <Text span inherit ff="monospace">
          {name}
        </Text>
      }
      about={
        <>
          Version {version}, set <RelativeTime at={updatedAt} /> · sent to{' '}
          {hosts === null ? 'any host' : hosts.join(', ')}
        </>
      }
      actions={
        mayWrite && (
          <>
            <SmallButton onClick={onEdit} aria-label={`${TEXT.newValue} of ${name}`}>
              {TEXT.newValue}
            </SmallButton>
            <DeleteButton
              path={`/v1/secrets/${encodeURIComponent(name)}`}
              ifVersion={version}
              touches={['/v1/secrets']}
              label={`Delete ${name}`}
              question={{ title: `Delete “${name}”?`, text: describeLoss(users) }}
              done="Secret deleted."
            />
          </>
        )
      }
    >
      <UsedBy users={users} />
    </CardItem>
  );
}

/**
 * The monitors, scenarios and channels with their names, or with their ids until the names are loaded. Always takes two
 * reads.
 */
function useUsers(ids: readonly string[]): readonly User[] {
  const { checks = [] } = useChecks();
  const { data } = useRead<Page<AlertChannel>>('/v1/alert-channels?limit=500');
  const known = [...checks, ...(data?.data ?? [])];
  return ids.map((id) => ({ id, name: known.find((one) => one.id === id)?.name ?? id }));
}

function describeLoss(users: readonly User[]): string {
  if (users.length === 0) return 'No monitor, scenario or channel uses it.';
  const names = users.map(({ name }) => name).join(', ');
  return `It is used by ${names}. Their next checks and alerts will fail.`;
}

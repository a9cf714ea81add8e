/** The secrets of the account: names only, their values never come back. */
import { Anchor, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { withQuery } from '../../../shared/api';
import type { Page, Secret } from '../../../shared/api-types';
import { confirm } from '../../../shared/confirm';
import { EmptyState } from '../../../shared/empty-state';
import { Loading } from '../../../shared/loading';
import { tell, tellProblem } from '../../../shared/notify';
import { Pager } from '../../../shared/pager';
import { ProblemNote } from '../../../shared/problem-note';
import { useChange, useRead } from '../../../shared/queries';
import { useSearchState } from '../../../shared/search';
import { useCan } from '../../../shared/session';
import { TEXT as COMMON } from '../../../shared/strings';
import { RelativeTime } from '../../../shared/time';
import { SecretForm } from './secret-form';
import { TEXT } from './strings';

const PAGE_SIZE = 100;

export function SecretsSection() {
  const [search] = useSearchState();
  const { data, error } = useRead<Page<Secret>>(
    withQuery('/v1/secrets', { limit: PAGE_SIZE, cursor: search['cursor'] }),
  );
  const mayWrite = useCan('write');
  const [edited, setEdited] = useState<Secret | 'new' | null>(null);
  const add = (
    <Button onClick={() => setEdited('new')} leftSection={<IconPlus size={16} aria-hidden />}>
      {TEXT.add}
    </Button>
  );
  return (
    <>
      <Group justify="space-between" mb="md" align="flex-start">
        <Text c="dimmed" maw={560}>
          {TEXT.about}
        </Text>
        {mayWrite && (data?.data.length ?? 0) > 0 && add}
      </Group>
      {error !== null && <ProblemNote problem={error} />}
      {data === undefined && error === null && <Loading />}
      {data?.data.length === 0 && (
        <EmptyState
          title={TEXT.noneTitle}
          text={mayWrite ? TEXT.none : TEXT.noneReadOnly}
          action={mayWrite ? add : null}
        />
      )}
      <Stack component="ul" gap="xs" p={0} m={0} style={{ listStyle: 'none' }}>
        {data?.data.map((secret) => (
          <SecretCard key={secret.name} secret={secret} onEdit={() => setEdited(secret)} />
        ))}
      </Stack>
      <Pager nextCursor={data?.nextCursor ?? null} />
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
            <DeleteButton secret={secret} />
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

/** The ids of monitors and scenarios, as links. */
function Users({ ids }: { readonly ids: readonly string[] }) {
  return ids.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <Anchor
        component={Link}
        to={id.startsWith('scn_') ? `/scenarios/${id}` : `/monitors/${id}`}
        size="sm"
        ff="monospace"
        style={{ overflowWrap: 'anywhere' }}
      >
        {id}
      </Anchor>
    </span>
  ));
}

function DeleteButton({ secret: { name, version, usedBy } }: Pick<SecretCardProps, 'secret'>) {
  const { mutate, isPending } = useChange(['/v1/secrets']);
  const ask = (): void =>
    confirm({
      title: `Delete ${name}?`,
      text:
        usedBy.length === 0
          ? 'No monitor or scenario uses it.'
          : `It is used by ${usedBy.join(', ')}. What needs it fails from its next check on.`,
      action: COMMON.delete,
      onConfirm: () =>
        mutate(
          {
            method: 'DELETE',
            path: `/v1/secrets/${encodeURIComponent(name)}`,
            ifVersion: version,
          },
          { onSuccess: () => tell(TEXT.deleted), onError: tellProblem },
        ),
    });
  return (
    <Button
      size="xs"
      variant="default"
      loading={isPending}
      onClick={ask}
      aria-label={`Delete ${name}`}
    >
      {COMMON.delete}
    </Button>
  );
}

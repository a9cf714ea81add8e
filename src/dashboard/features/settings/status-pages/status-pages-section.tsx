/** The status pages of the account, and which of them are public. */
import { Anchor, Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { withQuery } from '../../../shared/api';
import type { Page, StatusPage } from '../../../shared/api-types';
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
import { PageForm } from './page-form';
import { TEXT } from './strings';

const PAGE_SIZE = 50;

export function StatusPagesSection() {
  const [search] = useSearchState();
  const { data, error } = useRead<Page<StatusPage>>(
    withQuery('/v1/status-pages', { limit: PAGE_SIZE, cursor: search['cursor'] }),
  );
  const mayWrite = useCan('write');
  const [edited, setEdited] = useState<StatusPage | 'new' | null>(null);
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
        {data?.data.map((page) => (
          <PageCard key={page.id} page={page} onEdit={() => setEdited(page)} />
        ))}
      </Stack>
      <Pager nextCursor={data?.nextCursor ?? null} />
      {edited !== null && (
        <PageForm page={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
    </>
  );
}

interface PageCardProps {
  readonly page: StatusPage;
  readonly onEdit: () => void;
}

function PageCard({ page, onEdit }: PageCardProps) {
  const mayWrite = useCan('write');
  const { title, slug, isPublic } = page;
  return (
    <Paper component="li" withBorder p="sm">
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text fw={600} style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Text>
          <Badge variant="outline" color={isPublic ? 'green' : 'gray'}>
            {isPublic ? TEXT.isPublic : TEXT.off}
          </Badge>
        </Group>
        {mayWrite && (
          <Group gap="xs">
            <Button
              size="xs"
              variant="default"
              onClick={onEdit}
              aria-label={`${TEXT.edit} ${title}`}
            >
              {TEXT.edit}
            </Button>
            <DeleteButton page={page} />
          </Group>
        )}
      </Group>
      {isPublic ? (
        <Anchor href={`/status/${slug}`} target="_blank" rel="noreferrer" size="sm">
          /status/{slug}
        </Anchor>
      ) : (
        <Text size="sm" c="dimmed">
          /status/{slug}
        </Text>
      )}
    </Paper>
  );
}

function DeleteButton({ page: { id, title, version } }: Pick<PageCardProps, 'page'>) {
  const { mutate, isPending } = useChange(['/v1/status-pages']);
  const ask = (): void =>
    confirm({
      title: `Delete ${title}?`,
      text: 'Visitors and badges find nothing at its address from then on.',
      action: COMMON.delete,
      onConfirm: () =>
        mutate(
          { method: 'DELETE', path: `/v1/status-pages/${id}`, ifVersion: version },
          { onSuccess: () => tell(TEXT.deleted), onError: tellProblem },
        ),
    });
  return (
    <Button
      size="xs"
      variant="default"
      loading={isPending}
      onClick={ask}
      aria-label={`Delete ${title}`}
    >
      {COMMON.delete}
    </Button>
  );
}

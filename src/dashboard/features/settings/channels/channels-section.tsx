/** The alert channels of the account. */
import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { withQuery } from '../../../shared/api';
import type { AlertChannel, NewAlertChannel, Page } from '../../../shared/api-types';
import { CopyField } from '../../../shared/copy-field';
import { EmptyState } from '../../../shared/empty-state';
import { Loading } from '../../../shared/loading';
import { Pager } from '../../../shared/pager';
import { ProblemNote } from '../../../shared/problem-note';
import { useRead } from '../../../shared/queries';
import { useSearchState } from '../../../shared/search';
import { useCan } from '../../../shared/session';
import { ShownOnce } from '../shown-once';
import { ChannelCard } from './channel-card';
import { ChannelForm } from './channel-form';
import { TEXT } from './strings';

const PAGE_SIZE = 100;

export function ChannelsSection() {
  const [search] = useSearchState();
  const { data, error } = useRead<Page<AlertChannel>>(
    withQuery('/v1/alert-channels', { limit: PAGE_SIZE, cursor: search['cursor'] }),
  );
  const mayWrite = useCan('write');
  const [edited, setEdited] = useState<AlertChannel | 'new' | null>(null);
  const [signed, setSigned] = useState<string | null>(null);
  const add = (
    <Button onClick={() => setEdited('new')} leftSection={<IconPlus size={16} aria-hidden />}>
      {TEXT.add}
    </Button>
  );
  const close = (saved: NewAlertChannel | null): void => {
    setEdited(null);
    if (saved?.signingSecret !== undefined) setSigned(saved.signingSecret);
  };
  return (
    <>
      {signed !== null && (
        <ShownOnce title={TEXT.signingTitle} onDone={() => setSigned(null)}>
          <CopyField label={TEXT.signingSecret} value={signed} />
        </ShownOnce>
      )}
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
        {data?.data.map((channel) => (
          <ChannelCard key={channel.id} channel={channel} onEdit={() => setEdited(channel)} />
        ))}
      </Stack>
      <Pager nextCursor={data?.nextCursor ?? null} />
      {edited !== null && (
        <ChannelForm channel={edited === 'new' ? null : edited} onClose={close} />
      )}
    </>
  );
}

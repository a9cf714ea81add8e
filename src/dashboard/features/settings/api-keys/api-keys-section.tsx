/** The API keys of the account; a new one is shown this one time. */
import { Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { withQuery } from '../../../shared/api';
import type { ApiKey, NewApiKey, Page } from '../../../shared/api-types';
import { CopyField } from '../../../shared/copy-field';
import { EmptyState } from '../../../shared/empty-state';
import { Loading } from '../../../shared/loading';
import { Pager } from '../../../shared/pager';
import { ProblemNote } from '../../../shared/problem-note';
import { useRead } from '../../../shared/queries';
import { useSearchState } from '../../../shared/search';
import { ShownOnce } from '../shown-once';
import { KeyForm } from './key-form';
import { KeyTable } from './key-table';
import { TEXT } from './strings';

const PAGE_SIZE = 100;

export function ApiKeysSection() {
  const [search] = useSearchState();
  const { data, error } = useRead<Page<ApiKey>>(
    withQuery('/v1/api-keys', { limit: PAGE_SIZE, cursor: search['cursor'] }),
  );
  const [isAdding, setIsAdding] = useState(false);
  const [made, setMade] = useState<NewApiKey | null>(null);
  const add = (
    <Button onClick={() => setIsAdding(true)} leftSection={<IconPlus size={16} aria-hidden />}>
      {TEXT.add}
    </Button>
  );
  const close = (key: NewApiKey | null): void => {
    setIsAdding(false);
    if (key !== null) setMade(key);
  };
  const keys = data?.data ?? [];
  return (
    <>
      {made !== null && (
        <ShownOnce title={`The API key “${made.name}”`} onDone={() => setMade(null)}>
          <CopyField label={TEXT.key} value={made.key} />
          <CopyField label={TEXT.sample} value={sampleOf(made.key)} />
        </ShownOnce>
      )}
      <Group justify="space-between" mb="md" align="flex-start">
        <Text c="dimmed" maw={560}>
          {TEXT.about}
        </Text>
        {keys.length > 0 && add}
      </Group>
      {error !== null && <ProblemNote problem={error} />}
      {data === undefined && error === null && <Loading />}
      {data?.data.length === 0 && (
        <EmptyState title={TEXT.noneTitle} text={TEXT.none} action={add} />
      )}
      {keys.length > 0 && <KeyTable keys={keys} />}
      <Pager nextCursor={data?.nextCursor ?? null} />
      {isAdding && <KeyForm onClose={close} />}
    </>
  );
}

function sampleOf(key: string): string {
  return `curl -H "Authorization: Bearer ${key}" ${window.location.origin}/v1/monitors`;
}

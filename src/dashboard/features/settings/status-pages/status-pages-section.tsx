/** The status pages of the account, and which of them are public. */
import { Anchor, Badge, Button, Group, Paper, Text } from '@mantine/core';
import { useState } from 'react';
import type { StatusPage } from '../../../shared/data/api-types';
import { useCan } from '../../../shared/data/session';
import { CardList } from '../../../shared/ui/card-list';
import { DeleteButton } from '../delete-button';
import { SettingsList } from '../settings-list';
import { PageForm } from './page-form';
import { TEXT } from './strings';

export function StatusPagesSection() {
  const [edited, setEdited] = useState<StatusPage | 'new' | null>(null);
  return (
    <>
      <SettingsList<StatusPage>
        path="/v1/status-pages"
        text={TEXT}
        mayAdd="write"
        onAdd={() => setEdited('new')}
      >
        {(pages) => (
          <CardList>
            {pages.map((page) => (
              <PageCard key={page.id} page={page} onEdit={() => setEdited(page)} />
            ))}
          </CardList>
        )}
      </SettingsList>
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
  const { id, version, title, slug, isPublic } = page;
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
            <DeleteButton
              path={`/v1/status-pages/${id}`}
              ifVersion={version}
              touches={['/v1/status-pages']}
              label={`Delete ${title}`}
              question={{ title: `Delete ${title}?`, text: TEXT.deleteText }}
              done={TEXT.deleted}
            />
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

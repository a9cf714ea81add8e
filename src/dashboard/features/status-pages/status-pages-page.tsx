import { Anchor, Button, Group, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { DeleteButton } from '../../shared/actions/delete-button';
import type { Page, StatusPage } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { useCan } from '../../shared/data/session';
import { PageLoading } from '../../shared/loading/page-loading';
import { Unread } from '../../shared/loading/unread';
import { CardItem, CardList } from '../../shared/ui/card-list';
import { EmptyState } from '../../shared/ui/empty-state';
import { PageHead } from '../../shared/ui/page-head';
import { SmallBadge } from '../../shared/ui/small-badge';
import { SmallButton } from '../../shared/ui/small-button';
import { TEXT } from './strings';

/** The path of the list. One page is enough, because an account has at most 50 status pages. */
const PATH = '/v1/status-pages?limit=100';

export function StatusPagesPage() {
  const { data, error } = useRead<Page<StatusPage>>(PATH);
  const mayWrite = useCan('write');
  const add = mayWrite && (
    <Button
      component={Link}
      to="/status-pages/new"
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {TEXT.add}
    </Button>
  );
  const isEmpty = data?.data.length === 0;
  return (
    <>
      <PageHead
        title={TEXT.pages}
        about={
          <Text c="dimmed">
            Pages with the status, 90-day history and outages of the items you choose. Nothing is
            visible to others until a page is public.
          </Text>
        }
      >
        {!isEmpty && add}
      </PageHead>
      <Unread of={{ data, error }} shape={<PageLoading isBelowHead />} />
      {isEmpty && (
        <EmptyState
          title="No status pages yet"
          text={
            mayWrite
              ? 'Share your status with customers without exposing your setup.'
              : 'An editor of this account can add status pages.'
          }
          action={add}
        />
      )}
      {!isEmpty && data !== undefined && (
        <CardList label={TEXT.pages}>
          {data.data.map((page) => (
            <PageCard key={page.id} page={page} mayWrite={mayWrite} />
          ))}
        </CardList>
      )}
    </>
  );
}

interface PageCardProps {
  readonly page: StatusPage;
  readonly mayWrite: boolean;
}

function PageCard({ page, mayWrite }: PageCardProps) {
  const { id, version, title, slug, isPublic, groups } = page;
  const items = groups.reduce((sum, group) => sum + group.items.length, 0);
  return (
    <CardItem
      name={title}
      marks={<SmallBadge text={isPublic ? 'Public' : 'Draft'} />}
      actions={
        <>
          <SmallButton
            component={Link}
            to={`/status-pages/${id}/posts`}
            aria-label={`${TEXT.posts} of ${title}`}
          >
            {TEXT.posts}
          </SmallButton>
          <SmallButton
            component={Link}
            to={`/status-pages/${id}/subscribers`}
            aria-label={`${TEXT.subscribers} of ${title}`}
          >
            {TEXT.subscribers}
          </SmallButton>
          {mayWrite && (
            <>
              <SmallButton
                component={Link}
                to={`/status-pages/${id}`}
                aria-label={`${TEXT.edit} ${title}`}
              >
                {TEXT.edit}
              </SmallButton>
              <DeleteButton
                path={`/v1/status-pages/${id}`}
                ifVersion={version}
                touches={['/v1/status-pages']}
                label={`Delete ${title}`}
                question={{
                  title: `Delete “${title}”?`,
                  text: 'Its URL and badges stop working, and its posts and subscribers are deleted.',
                }}
                done="Status page deleted."
              />
            </>
          )}
        </>
      }
    >
      <Group gap="md">
        <Anchor href={`/status/${slug}`} target="_blank" rel="noreferrer" size="sm">
          /status/{slug}
        </Anchor>
        <Text size="sm" c="dimmed">
          {items === 1 ? '1 item' : `${items} items`}
        </Text>
      </Group>
    </CardItem>
  );
}

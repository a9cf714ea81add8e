/** The posts of a status page: drafts and published ones. */
import { Anchor, Badge, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Link, useParams } from '@tanstack/react-router';
import type { Page, StatusPage, StatusPagePost } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { PageLoading } from '../../../shared/loading/page-loading';
import { Unread } from '../../../shared/loading/unread';
import { RelativeTime } from '../../../shared/text/time';
import { CardItem, CardList } from '../../../shared/ui/card-list';
import { EmptyState } from '../../../shared/ui/empty-state';
import { PageHead } from '../../../shared/ui/page-head';
import { PageProblem } from '../../../shared/ui/page-problem';
import { Trail } from '../../../shared/ui/trail';
import { TEXT } from '../strings';
import { hasDrafts, listNames, POSTS_PATH, STATE_WORDS } from './post-draft';

/** How many posts the page shows. Older posts are available through the API. */
const SHOWN_MAX = 100;

export function PostsPage() {
  const { pageId = '' } = useParams({ strict: false });
  const { data: page, error } = useRead<StatusPage>(`/v1/status-pages/${pageId}`);
  const posts = useRead<Page<StatusPagePost>>(`${POSTS_PATH}?pageId=${pageId}&limit=${SHOWN_MAX}`);
  const mayWrite = useCan('write');
  const trail = [{ to: '/status-pages', label: TEXT.pages }];
  if (error !== null && page === undefined)
    return <PageProblem problem={error} what="Status page" trail={trail} />;
  if (page === undefined || page.id !== pageId) return <PageLoading />;
  const add = mayWrite && (
    <Button
      component={Link}
      to={`/status-pages/${pageId}/posts/new`}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {TEXT.addPost}
    </Button>
  );
  const isEmpty = posts.data?.data.length === 0;
  return (
    <>
      <Trail pages={trail} />
      <PageHead title={`${TEXT.posts} of ${page.title}`}>{!isEmpty && add}</PageHead>
      <Unread of={posts} shape={<PageLoading isBelowHead />} />
      {isEmpty && (
        <EmptyState
          title="No posts yet"
          text="Inform visitors about an incident or maintenance in your own words."
          action={add}
        />
      )}
      {!isEmpty && posts.data !== undefined && (
        <CardList label={TEXT.posts}>
          {posts.data.data.map((post) => (
            <PostCard key={post.id} post={post} page={page} />
          ))}
        </CardList>
      )}
    </>
  );
}

interface PostCardProps {
  readonly post: StatusPagePost;
  readonly page: StatusPage;
}

function PostCard({ post, page }: PostCardProps) {
  const { id, title, affected, status, updates } = post;
  const names = listNames(page, affected);
  return (
    <CardItem
      name={
        <Anchor component={Link} to={`/status-pages/${page.id}/posts/${id}`} inherit>
          {title}
        </Anchor>
      }
      marks={<PostBadges post={post} />}
      about={
        <>
          {STATE_WORDS[status]} · <RelativeTime at={updates.at(-1)?.at ?? null} />
          {names.length > 0 && ` · ${names.join(', ')}`}
        </>
      }
    />
  );
}

export function PostBadges({ post }: { readonly post: StatusPagePost }) {
  const { state, incidentIds } = post;
  return (
    <>
      <Badge variant="default" tt="none">
        {state === 'draft' ? 'Draft' : 'Published'}
      </Badge>
      {state === 'published' && hasDrafts(post) && (
        <Badge variant="default" tt="none">
          Unpublished update
        </Badge>
      )}
      {incidentIds.length > 0 && (
        <Badge variant="default" tt="none">
          From an incident
        </Badge>
      )}
    </>
  );
}

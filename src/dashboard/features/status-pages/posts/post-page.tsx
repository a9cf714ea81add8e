/** One post: its updates, the form for the next update, and publishing of drafts. */
import { Alert, Badge, Group, Paper, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { DeleteButton } from '../../../shared/actions/delete-button';
import { useAct } from '../../../shared/actions/use-act';
import type { StatusPage, StatusPagePost } from '../../../shared/data/api-types';
import { useRead } from '../../../shared/data/queries';
import { useCan } from '../../../shared/data/session';
import { PageLoading } from '../../../shared/loading/page-loading';
import { AbsoluteTime } from '../../../shared/text/time';
import { Heading } from '../../../shared/ui/heading';
import { PageHead } from '../../../shared/ui/page-head';
import { PageProblem } from '../../../shared/ui/page-problem';
import { SmallButton } from '../../../shared/ui/small-button';
import { Trail } from '../../../shared/ui/trail';
import { TEXT } from '../strings';
import { EditPost } from './edit-post';
import { hasDrafts, isOver, listNames, POSTS_PATH, publishWords, STATE_WORDS } from './post-draft';
import { PostBadges } from './posts-page';
import { UpdateForm } from './update-form';
import { useReaderCount } from './use-reader-count';

export function PostPage() {
  const { pageId = '', postId = '' } = useParams({ strict: false });
  const { data: page, error: pageProblem } = useRead<StatusPage>(`/v1/status-pages/${pageId}`);
  const { data: post, error } = useRead<StatusPagePost>(`${POSTS_PATH}/${postId}`);
  const mayWrite = useCan('write');
  const trail = [
    { to: '/status-pages', label: TEXT.pages },
    {
      to: `/status-pages/${pageId}/posts`,
      label: page === undefined ? TEXT.posts : `${TEXT.posts} of ${page.title}`,
    },
  ];
  const problem = (page === undefined ? pageProblem : null) ?? error;
  if (problem !== null && (post === undefined || problem.status === 404))
    return <PageProblem problem={problem} what="Post" trail={trail} />;
  if (page === undefined || post === undefined) return <PageLoading />;
  // The data may still belong to the previous page or post.
  if (page.id !== pageId || post.id !== postId) return <PageLoading />;
  const names = listNames(page, post.affected);
  return (
    <>
      <Trail pages={trail} />
      <PageHead
        title={post.title}
        aside={
          <Group gap="xs">
            <PostBadges post={post} />
          </Group>
        }
        about={
          <Text c="dimmed">
            {STATE_WORDS[post.status]}
            {names.length > 0 && ` · Affects ${names.join(', ')}`}
          </Text>
        }
      >
        {mayWrite && <PostActions post={post} page={page} />}
      </PageHead>
      <Stack gap="xl">
        {post.publishAt !== null && <PublishNote post={post} mayWrite={mayWrite} />}
        <Updates post={post} />
        {mayWrite && !isOver(post) && <UpdateForm key={post.version} post={post} page={page} />}
      </Stack>
    </>
  );
}

interface PostActionsProps {
  readonly post: StatusPagePost;
  readonly page: StatusPage;
}

function PostActions({ post, page }: PostActionsProps) {
  const { id, version, title } = post;
  const readers = useReaderCount(page);
  const [isEditing, setIsEditing] = useState(false);
  const { act, isPending } = useAct<StatusPagePost>([POSTS_PATH]);
  const publish = (): void =>
    act(
      { method: 'POST', path: `${POSTS_PATH}/${id}/publish`, ifVersion: version },
      { done: TEXT.published },
    );
  return (
    <>
      {hasDrafts(post) && (
        <SmallButton variant="filled" loading={isPending} onClick={publish}>
          {publishWords(TEXT.publish, readers)}
        </SmallButton>
      )}
      <SmallButton onClick={() => setIsEditing(true)}>{TEXT.edit}</SmallButton>
      <DeleteButton
        path={`${POSTS_PATH}/${id}`}
        ifVersion={version}
        touches={[POSTS_PATH]}
        label={`Delete ${title}`}
        question={{ title: `Delete “${title}”?`, text: 'Visitors no longer see it.' }}
        done="Post deleted."
      />
      {isEditing && <EditPost post={post} page={page} onClose={() => setIsEditing(false)} />}
    </>
  );
}

interface PublishNoteProps {
  readonly post: StatusPagePost;
  readonly mayWrite: boolean;
}

function PublishNote({ post: { id, version, publishAt }, mayWrite }: PublishNoteProps) {
  const { act, isPending } = useAct<StatusPagePost>([POSTS_PATH]);
  const hold = (): void =>
    act(
      {
        method: 'PATCH',
        path: `${POSTS_PATH}/${id}`,
        body: { publishAt: null },
        ifVersion: version,
      },
      { done: 'The draft waits for someone to publish it.' },
    );
  return (
    <Alert color="blue" title="This draft will be published">
      <Group gap="sm">
        <Text size="sm">
          At <AbsoluteTime at={publishAt} />, unless its incident is over by then.
        </Text>
        {mayWrite && (
          <SmallButton loading={isPending} onClick={hold}>
            Don’t publish automatically
          </SmallButton>
        )}
      </Group>
    </Alert>
  );
}

/** Shows the updates as visitors read them, the newest first. */
function Updates({ post: { updates, postMortem } }: { readonly post: StatusPagePost }) {
  return (
    <Stack component="section" gap="xs">
      <Heading>Updates</Heading>
      {postMortem !== null && (
        <Paper withBorder p="sm">
          <Text fw={600}>Post-mortem</Text>
          <Written text={postMortem} />
        </Paper>
      )}
      {updates.toReversed().map(({ id, state, text, at, by, isDraft }) => (
        <Paper key={id} withBorder p="sm">
          <Group gap="xs">
            <Text fw={600}>{STATE_WORDS[state]}</Text>
            {isDraft && (
              <Badge variant="default" tt="none">
                Draft
              </Badge>
            )}
            <Text size="sm" c="dimmed">
              <AbsoluteTime at={at} /> by {by ?? 'Keepwatch'}
            </Text>
          </Group>
          <Written text={text} />
        </Paper>
      ))}
    </Stack>
  );
}

function Written({ text }: { readonly text: string }) {
  return (
    <Text size="sm" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }} dir="auto">
      {text}
    </Text>
  );
}

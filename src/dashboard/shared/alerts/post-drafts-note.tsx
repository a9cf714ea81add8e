/** Shows that posts of status pages wait to be published. Renders nothing if there are none. */
import { Alert, Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Page, StatusPagePost } from '../data/api-types';
import { useRead } from '../data/queries';

interface PostDraftsNoteProps {
  /** The query that selects the posts: `incidentId=…` or `pageId=…`. */
  readonly of: string;
}

export function PostDraftsNote({ of }: PostDraftsNoteProps) {
  const { data } = useRead<Page<StatusPagePost>>(`/v1/status-page-posts?${of}`);
  const waiting = (data?.data ?? []).filter(
    ({ state, updates, incidentIds }) =>
      incidentIds.length > 0 && (state === 'draft' || updates.some(({ isDraft }) => isDraft)),
  );
  if (waiting.length === 0) return null;
  return (
    <Alert color="blue" mb="md" title="Waiting to be published on a status page">
      {waiting.map(({ id, pageId, title }) => (
        <div key={id}>
          <Anchor component={Link} to={`/status-pages/${pageId}/posts/${id}`} size="sm">
            {title}
          </Anchor>
        </div>
      ))}
    </Alert>
  );
}

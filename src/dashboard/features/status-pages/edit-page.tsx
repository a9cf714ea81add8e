/** Creates a status page, or edits a saved one. */
import { Button } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { PostDraftsNote } from '../../shared/alerts/post-drafts-note';
import type { StatusPage } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { PageLoading } from '../../shared/loading/page-loading';
import { PageHead } from '../../shared/ui/page-head';
import { PageProblem } from '../../shared/ui/page-problem';
import { Trail } from '../../shared/ui/trail';
import { WritersOnly } from '../../shared/ui/writers-only';
import { PageForm } from './page-form';
import { TEXT } from './strings';

const LIST = { to: '/status-pages', label: TEXT.pages };

export function NewStatusPage() {
  const navigate = useNavigate();
  return (
    <WritersOnly text={TEXT.readOnly} list={LIST}>
      <Trail pages={[LIST]} />
      <PageHead title={TEXT.add} />
      <PageForm
        page={null}
        onSaved={({ id }) => void navigate({ to: `/status-pages/${id}`, ignoreBlocker: true })}
      />
    </WritersOnly>
  );
}

export function EditStatusPage() {
  const { pageId = '' } = useParams({ strict: false });
  const { data, error } = useRead<StatusPage>(`/v1/status-pages/${pageId}`);
  const [shown, setShown] = useState<StatusPage | null>(null);
  if (error !== null && shown?.id !== pageId)
    return <PageProblem problem={error} what="Status page" trail={[LIST]} />;
  // While the user edits, the version that the form opened with is kept, even if a newer version is
  // read.
  if (shown?.id !== pageId && data !== undefined && data.id === pageId) setShown(data);
  if (shown === null || shown.id !== pageId) return <PageLoading />;
  return (
    <WritersOnly text={TEXT.readOnly} list={LIST}>
      <Trail pages={[LIST]} />
      <PageHead title={`Edit ${shown.title}`}>
        <Button
          component="a"
          href={`/status/${shown.slug}`}
          target="_blank"
          rel="noreferrer"
          variant="default"
        >
          {shown.isPublic ? TEXT.openPage : TEXT.openDraft}
        </Button>
        <Button component={Link} to={`/status-pages/${shown.id}/posts`} variant="default">
          {TEXT.posts}
        </Button>
        <Button component={Link} to={`/status-pages/${shown.id}/subscribers`} variant="default">
          {TEXT.subscribers}
        </Button>
      </PageHead>
      <PostDraftsNote of={`pageId=${shown.id}`} />
      <PageForm key={`${shown.id} ${shown.version}`} page={shown} onSaved={setShown} />
    </WritersOnly>
  );
}

/** A page of its own for one status page, new or saved. */
import { Button } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { StatusPage } from '../../shared/data/api-types';
import { useRead } from '../../shared/data/queries';
import { useCan } from '../../shared/data/session';
import { EmptyState } from '../../shared/ui/empty-state';
import { Loading } from '../../shared/ui/loading';
import { PageHead } from '../../shared/ui/page-head';
import { PageProblem } from '../../shared/ui/page-problem';
import { Trail } from '../../shared/ui/trail';
import { PageForm } from './page-form';
import { TEXT } from './strings';

const TRAIL = [{ to: '/status-pages', label: TEXT.pages }];

export function NewStatusPage() {
  const navigate = useNavigate();
  return (
    <EditorsOnly>
      <Trail pages={TRAIL} />
      <PageHead title={TEXT.add} />
      <PageForm
        page={null}
        onSaved={({ id }) => void navigate({ to: `/status-pages/${id}`, ignoreBlocker: true })}
      />
    </EditorsOnly>
  );
}

export function EditStatusPage() {
  const { pageId = '' } = useParams({ strict: false });
  const { data, error } = useRead<StatusPage>(`/v1/status-pages/${pageId}`);
  const [shown, setShown] = useState<StatusPage | null>(null);
  if (error !== null && shown?.id !== pageId)
    return <PageProblem problem={error} what="Status page" list="/status-pages" />;
  // What is typed must not change under the hands when a newer version arrives.
  if (shown?.id !== pageId && data !== undefined && data.id === pageId) setShown(data);
  if (shown === null || shown.id !== pageId) return <Loading />;
  return (
    <EditorsOnly>
      <Trail pages={TRAIL} />
      <PageHead title={`Edit ${shown.title}`} />
      <PageForm key={`${shown.id} ${shown.version}`} page={shown} onSaved={setShown} />
    </EditorsOnly>
  );
}

function EditorsOnly({ children }: { readonly children: ReactNode }) {
  if (useCan('write')) return children;
  return (
    <EmptyState
      title={TEXT.readOnlyTitle}
      text={TEXT.readOnly}
      action={
        <Button component={Link} to="/status-pages" variant="default">
          {TEXT.pages}
        </Button>
      }
    />
  );
}

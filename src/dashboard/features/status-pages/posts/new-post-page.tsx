/** Creates a post for a status page next to its preview, as a draft or published at once. */
import {
  Button,
  Group,
  MultiSelect,
  NativeSelect,
  SegmentedControl,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { StatusPage, StatusPagePost } from '../../../shared/data/api-types';
import { useChange, useRead } from '../../../shared/data/queries';
import { useSearchState } from '../../../shared/data/search';
import { useUnsaved } from '../../../shared/form/unsaved';
import { PageLoading } from '../../../shared/loading/page-loading';
import { faultAt } from '../../../shared/text/faults';
import { notify } from '../../../shared/ui/notify';
import { PageHead } from '../../../shared/ui/page-head';
import { PageProblem } from '../../../shared/ui/page-problem';
import { ProblemNote } from '../../../shared/ui/problem-note';
import { Trail } from '../../../shared/ui/trail';
import { WritersOnly } from '../../../shared/ui/writers-only';
import classes from '../editor.module.css';
import { ServerPreview } from '../server-preview';
import { TEXT } from '../strings';
import {
  buildPreviewBody,
  findState,
  listItems,
  POSTS_PATH,
  type PostDraft,
  publishWords,
  startPost,
  stateChoices,
  TEXT_MAX,
  TITLE_MAX,
  withTemplate,
  withType,
} from './post-draft';
import { useReaderCount } from './use-reader-count';

export function NewPostPage() {
  const { pageId = '' } = useParams({ strict: false });
  const { data: page, error } = useRead<StatusPage>(`/v1/status-pages/${pageId}`);
  const name = page === undefined ? TEXT.posts : `${TEXT.posts} of ${page.title}`;
  const list = { to: `/status-pages/${pageId}/posts`, label: name };
  const trail = [{ to: '/status-pages', label: TEXT.pages }, list];
  if (error !== null && page === undefined)
    return <PageProblem problem={error} what="Status page" trail={trail} />;
  if (page === undefined || page.id !== pageId) return <PageLoading />;
  return (
    <WritersOnly text={TEXT.readOnlyPosts} list={list}>
      <Trail pages={trail} />
      <PageHead title={TEXT.addPost} />
      <PostForm page={page} />
    </WritersOnly>
  );
}

function PostForm({ page }: { readonly page: StatusPage }) {
  const [search] = useSearchState();
  const [draft, setDraft] = useState(() => startPost(page, search));
  const readers = useReaderCount(page);
  const navigate = useNavigate();
  useUnsaved(draft);
  const { mutate, isPending, error } = useChange<StatusPagePost>([POSTS_PATH]);
  const save = (publish: boolean): void => {
    const body = { pageId: page.id, ...draft, publish };
    mutate(
      { method: 'POST', path: POSTS_PATH, body },
      {
        onSuccess: ({ id }) => {
          notify(publish ? TEXT.published : 'Draft saved.');
          void navigate({ to: `/status-pages/${page.id}/posts/${id}`, ignoreBlocker: true });
        },
      },
    );
  };
  return (
    <div className={classes['columns']}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save(false);
        }}
      >
        <Stack>
          <PostFields
            page={page}
            draft={draft}
            onChange={setDraft}
            findFault={(field) => faultAt(error, field)}
          />
          {error !== null && <ProblemNote problem={error} />}
          {readers > 0 && (
            <Text size="sm" c="dimmed">
              {TEXT.chosenItems}
            </Text>
          )}
          <Group justify="flex-end" className={classes['foot'] ?? ''}>
            <Button type="submit" variant="default" loading={isPending}>
              Save draft
            </Button>
            <Button type="button" loading={isPending} onClick={() => save(true)}>
              {publishWords(TEXT.publish, readers)}
            </Button>
          </Group>
        </Stack>
      </form>
      <div className={classes['preview']}>
        <ServerPreview path="/v1/status-page-posts/preview" body={buildPreviewBody(page, draft)} />
      </div>
    </div>
  );
}

interface PostFieldsProps {
  readonly page: StatusPage;
  readonly draft: PostDraft;
  readonly onChange: (draft: PostDraft) => void;
  readonly findFault: (field: string) => string | null;
}

function PostFields({ page, draft, onChange, findFault }: PostFieldsProps) {
  const { type, title, affected, state, text } = draft;
  return (
    <>
      <SegmentedControl
        aria-label="Type"
        value={type}
        data={[
          { value: 'incident', label: 'Incident' },
          { value: 'maintenance', label: 'Maintenance' },
        ]}
        onChange={(value) =>
          onChange(withType(draft, value === 'maintenance' ? 'maintenance' : 'incident'))
        }
      />
      <MultiSelect
        label="Affected items"
        data={listItems(page).map(({ id, name }) => ({ value: id, label: name }))}
        value={[...affected]}
        onChange={(ids) => onChange({ ...draft, affected: ids })}
        searchable
        error={findFault('affected')}
      />
      <TemplateChoice page={page} draft={draft} onChange={onChange} />
      <TextInput
        label="Title"
        required
        maxLength={TITLE_MAX}
        value={title}
        onChange={({ currentTarget }) => onChange({ ...draft, title: currentTarget.value })}
        error={findFault('title')}
      />
      <NativeSelect
        label="State"
        data={stateChoices(type)}
        value={state}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...draft, state: findState(type, value) ?? state })
        }
        error={findFault('state')}
      />
      <Textarea
        label="Text"
        required
        description="Supports Markdown."
        maxLength={TEXT_MAX}
        autosize
        minRows={4}
        value={text}
        onChange={({ currentTarget }) => onChange({ ...draft, text: currentTarget.value })}
        error={findFault('text')}
      />
    </>
  );
}

/** Selects a template. Renders nothing for a page without templates. */
function TemplateChoice({ page, draft, onChange }: Omit<PostFieldsProps, 'findFault'>) {
  const { templates } = page.posts;
  if (templates.length === 0) return null;
  return (
    <NativeSelect
      label="Template"
      description="Replaces title and text."
      data={[{ value: '', label: 'Choose a template' }, ...templates.map(({ name }) => name)]}
      value=""
      onChange={({ currentTarget: { value } }) => {
        const template = templates.find(({ name }) => name === value);
        if (template !== undefined) onChange(withTemplate(draft, template, page));
      }}
    />
  );
}

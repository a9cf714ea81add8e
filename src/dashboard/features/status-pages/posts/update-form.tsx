/** A form for the next update of a post, next to a preview. */
import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { StatusPage, StatusPagePost } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { useUnsaved } from '../../../shared/form/unsaved';
import { faultAt } from '../../../shared/text/faults';
import { Heading } from '../../../shared/ui/heading';
import { notify } from '../../../shared/ui/notify';
import { ProblemNote } from '../../../shared/ui/problem-note';
import classes from '../editor.module.css';
import { ServerPreview } from '../server-preview';
import { TEXT } from '../strings';
import {
  buildPreviewBody,
  findState,
  nextState,
  POSTS_PATH,
  publishWords,
  stateChoices,
  TEXT_MAX,
} from './post-draft';
import { useReaderCount } from './use-reader-count';

interface UpdateFormProps {
  readonly post: StatusPagePost;
  readonly page: StatusPage;
}

export function UpdateForm({ post, page }: UpdateFormProps) {
  const { id, type, title, affected } = post;
  const [state, setState] = useState(() => nextState(post));
  const [text, setText] = useState('');
  const readers = useReaderCount(page);
  useUnsaved(text);
  const { mutate, isPending, error } = useChange<StatusPagePost>([POSTS_PATH]);
  const isDraft = post.state === 'draft';
  const add = (draft: boolean): void =>
    mutate(
      { method: 'POST', path: `${POSTS_PATH}/${id}/updates`, body: { state, text, draft } },
      { onSuccess: () => notify(draft || isDraft ? 'Update saved as a draft.' : TEXT.published) },
    );
  const body = buildPreviewBody(page, { type, title, affected, state, text });
  return (
    <section>
      <Heading>Add an update</Heading>
      <div className={classes['columns']}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            add(false);
          }}
        >
          <Stack>
            <NativeSelect
              label="State"
              data={stateChoices(type)}
              value={state}
              onChange={({ currentTarget: { value } }) => setState(findState(type, value) ?? state)}
              error={faultAt(error, 'state')}
            />
            <Textarea
              label="Text"
              required
              description="Supports Markdown."
              maxLength={TEXT_MAX}
              autosize
              minRows={3}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
              error={faultAt(error, 'text')}
            />
            {error !== null && <ProblemNote problem={error} />}
            {readers > 0 && !isDraft && (
              <Text size="sm" c="dimmed">
                {TEXT.chosenItems}
              </Text>
            )}
            <Group>
              <Button type="submit" loading={isPending} disabled={text.trim() === ''}>
                {isDraft ? 'Add to the draft' : publishWords(TEXT.publishUpdate, readers)}
              </Button>
              {!isDraft && (
                <Button
                  variant="default"
                  loading={isPending}
                  disabled={text.trim() === ''}
                  onClick={() => add(true)}
                >
                  Save draft
                </Button>
              )}
            </Group>
          </Stack>
        </form>
        <ServerPreview path="/v1/status-page-posts/preview" body={body} />
      </div>
    </section>
  );
}

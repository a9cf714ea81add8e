/** Edits a post: title, items, updates, and post-mortem. */
import {
  Fieldset,
  Group,
  MultiSelect,
  NativeSelect,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import type { StatusPage, StatusPagePost } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { FormDialog } from '../../../shared/form/form-dialog';
import { faultAt } from '../../../shared/text/faults';
import { notify } from '../../../shared/ui/notify';
import { SmallButton } from '../../../shared/ui/small-button';
import {
  findState,
  isOver,
  listItems,
  POSTS_PATH,
  STATE_WORDS,
  stateChoices,
  TEXT_MAX,
  TITLE_MAX,
} from './post-draft';

interface EditPostProps {
  readonly post: StatusPagePost;
  readonly page: StatusPage;
  readonly onClose: () => void;
}

export function EditPost({ post, page, onClose }: EditPostProps) {
  const { id, version, type, state } = post;
  const [draft, setDraft] = useState(() => ({
    title: post.title,
    affected: post.affected,
    updates: post.updates.map(({ id: of, state: word, text }) => ({ id: of, state: word, text })),
    postMortem: post.postMortem ?? '',
  }));
  const { mutate, isPending, error } = useChange<StatusPagePost>([POSTS_PATH]);
  const save = (): void => {
    const postMortem = draft.postMortem.trim() === '' ? null : draft.postMortem;
    mutate(
      {
        method: 'PATCH',
        path: `${POSTS_PATH}/${id}`,
        body: { ...draft, postMortem },
        ifVersion: version,
      },
      {
        onSuccess: () => {
          notify(state === 'draft' ? 'Draft saved.' : 'Post saved.');
          onClose();
        },
      },
    );
  };
  const change = (update: Update, changed: Update | null): void =>
    setDraft({
      ...draft,
      updates: draft.updates.flatMap((other) => (other === update ? (changed ?? []) : other)),
    });
  return (
    <FormDialog
      title="Edit post"
      draft={draft}
      problem={error}
      isPending={isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        label="Title"
        required
        maxLength={TITLE_MAX}
        value={draft.title}
        onChange={({ currentTarget }) => setDraft({ ...draft, title: currentTarget.value })}
        error={faultAt(error, 'title')}
      />
      <MultiSelect
        label="Affected items"
        data={listItems(page).map((item) => ({ value: item.id, label: item.name }))}
        value={[...draft.affected]}
        onChange={(affected) => setDraft({ ...draft, affected })}
        searchable
        error={faultAt(error, 'affected')}
      />
      {draft.updates.map((update, at) => (
        <UpdateFields
          key={update.id}
          type={type}
          update={update}
          number={at + 1}
          onChange={(changed) => change(update, changed)}
          onRemove={draft.updates.length > 1 ? () => change(update, null) : null}
          findFault={(field) => faultAt(error, `updates[${at}].${field}`)}
        />
      ))}
      {isOver(post) && (
        <Textarea
          label="Post-mortem"
          description="What happened and what was learned. Supports Markdown."
          maxLength={TEXT_MAX}
          autosize
          minRows={4}
          value={draft.postMortem}
          onChange={({ currentTarget }) => setDraft({ ...draft, postMortem: currentTarget.value })}
          error={faultAt(error, 'postMortem')}
        />
      )}
    </FormDialog>
  );
}

type Update = Pick<StatusPagePost['updates'][number], 'id' | 'state' | 'text'>;

interface UpdateFieldsProps {
  readonly type: StatusPagePost['type'];
  readonly update: Update;
  readonly number: number;
  readonly onChange: (update: Update) => void;
  /** Removes the update. null for the only update, which cannot be removed. */
  readonly onRemove: (() => void) | null;
  readonly findFault: (field: string) => string | null;
}

function UpdateFields(props: UpdateFieldsProps) {
  const { type, update, number, onChange, onRemove, findFault } = props;
  const { state, text } = update;
  return (
    <Fieldset legend={`Update ${number}: ${STATE_WORDS[state]}`}>
      <Stack gap="xs">
        <NativeSelect
          label="State"
          data={stateChoices(type)}
          value={state}
          onChange={({ currentTarget: { value } }) =>
            onChange({ ...update, state: findState(type, value) ?? state })
          }
          error={findFault('state')}
        />
        <Textarea
          label="Text"
          required
          maxLength={TEXT_MAX}
          autosize
          minRows={2}
          value={text}
          onChange={({ currentTarget }) => onChange({ ...update, text: currentTarget.value })}
          error={findFault('text')}
        />
        {onRemove !== null && (
          <Group>
            <SmallButton onClick={onRemove}>Remove update {number}</SmallButton>
          </Group>
        )}
      </Stack>
    </Fieldset>
  );
}

/** Writes a note into the timeline of an incident. */
import { Button, Group, Textarea } from '@mantine/core';
import { type FormEvent, useRef, useState } from 'react';
import { useChange } from '../../shared/data/queries';
import { faultAt } from '../../shared/text/faults';
import { notify } from '../../shared/ui/notify';
import { ProblemNote } from '../../shared/ui/problem-note';

const TEXT_MAX = 2_000;

export function NoteForm({ path }: { readonly path: string }) {
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const { mutate, isPending, error } = useChange(['/v1/incidents']);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    mutate(
      { method: 'POST', path: `${path}/notes`, body: { text } },
      {
        onSuccess: () => {
          setText('');
          field.current?.focus();
          notify('Note added.');
        },
      },
    );
  };
  return (
    <form onSubmit={save}>
      <Textarea
        ref={field}
        label="Add a note"
        description="Visible to everyone in this account. Supports Markdown."
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={faultAt(error, 'text')}
        maxLength={TEXT_MAX}
        autosize
        minRows={2}
        maw={640}
      />
      <Group mt="xs">
        <Button
          type="submit"
          variant="default"
          loading={isPending}
          disabled={text.trim().length === 0}
        >
          Add note
        </Button>
      </Group>
      {error !== null && <ProblemNote problem={error} />}
    </form>
  );
}

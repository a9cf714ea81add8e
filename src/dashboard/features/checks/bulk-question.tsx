/** Asks which tags or which group the selected monitors get. */
import { Button, Group, Modal, Stack, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { TEXT } from '../../shared/text/strings';
import type { Unaddressed } from './bulk';

export type Asked = 'tag' | 'group';

interface BulkQuestionProps {
  readonly asked: Asked;
  readonly isSending: boolean;
  readonly onSubmit: (action: Unaddressed) => void;
  readonly onClose: () => void;
}

export function BulkQuestion({ asked, isSending, onSubmit, onClose }: BulkQuestionProps) {
  const [group, setGroup] = useState('');
  const [add, setAdd] = useState<string[]>([]);
  const [remove, setRemove] = useState<string[]>([]);
  const submit = (): void => {
    if (asked === 'group') onSubmit({ action: 'group', group: group.trim() || null });
    else onSubmit({ action: 'tag', add, remove });
  };
  const isEmpty = asked === 'tag' && add.length + remove.length === 0;
  return (
    <Modal opened onClose={onClose} title={asked === 'tag' ? 'Tags' : 'Group'}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <Stack>
          {asked === 'group' ? (
            <TextInput
              label="Group"
              description="Use / to nest: shop/eu. Leave empty to group by domain."
              value={group}
              onChange={({ currentTarget }) => setGroup(currentTarget.value)}
              maxLength={100}
              data-autofocus
            />
          ) : (
            <>
              <TagsInput label="Add" value={add} onChange={setAdd} maxTags={20} data-autofocus />
              <TagsInput label="Remove" value={remove} onChange={setRemove} maxTags={20} />
            </>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {TEXT.cancel}
            </Button>
            <Button type="submit" loading={isSending} disabled={isEmpty}>
              {TEXT.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

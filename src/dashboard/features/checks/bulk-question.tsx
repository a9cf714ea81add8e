/** Asks for the tags or the group of the selected checks. */
import { TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { FormDialog } from '../../shared/form/form-dialog';
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
  return (
    <FormDialog
      title={asked === 'tag' ? 'Tags' : 'Group'}
      isPending={isSending}
      isDisabled={asked === 'tag' && add.length + remove.length === 0}
      onSubmit={submit}
      onClose={onClose}
    >
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
    </FormDialog>
  );
}

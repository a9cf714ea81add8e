/** Removes a member, and asks what happens to the API keys of that person. */
import { Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../../../shared/actions/use-act';
import { withQuery } from '../../../shared/data/api';
import type { Member } from '../../../shared/data/api-types';
import { FormDialog } from '../../../shared/form/form-dialog';
import { SmallButton } from '../../../shared/ui/small-button';
import { TEXT } from './strings';

interface RemoveMemberProps {
  readonly member: Member;
  /** The paths that are read again afterwards. */
  readonly touches: readonly string[];
}

export function RemoveMember({ member: { id, email }, touches }: RemoveMemberProps) {
  const [isOpen, setOpen] = useState(false);
  const [apiKeys, setApiKeys] = useState('end');
  const { act, isPending } = useAct(touches);
  const remove = (): void => {
    setOpen(false);
    const path = withQuery(`/v1/members/${id}`, { apiKeys });
    act({ method: 'DELETE', path }, { done: 'Member removed.' });
  };
  return (
    <>
      <SmallButton
        c="var(--mantine-color-red-text)"
        loading={isPending}
        onClick={() => setOpen(true)}
        aria-label={`${TEXT.remove} ${email}`}
      >
        {TEXT.remove}
      </SmallButton>
      {isOpen && (
        <FormDialog
          title={`Remove ${email}?`}
          action={TEXT.remove}
          onSubmit={remove}
          onClose={() => setOpen(false)}
        >
          <Text size="sm">
            Their sessions end now, and their pipelines and invitations stop working. Their private
            views are deleted.
          </Text>
          <Radio.Group label="Their API keys" value={apiKeys} onChange={setApiKeys}>
            <Stack gap="xs" mt="xs">
              <Radio value="end" label="Revoke them now" />
              <Radio
                value="move"
                label="Move them to an owner"
                description="They keep working, with the rights that they have now."
              />
            </Stack>
          </Radio.Group>
        </FormDialog>
      )}
    </>
  );
}

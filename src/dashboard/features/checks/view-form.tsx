/** The form for the name of a saved view and for who sees it. The view stores the query of the page's URL. */
import { Switch, Text } from '@mantine/core';
import { useState } from 'react';
import type { SavedView } from '../../shared/data/api-types';
import { useChange } from '../../shared/data/queries';
import { useSearchState } from '../../shared/data/search';
import { useSession } from '../../shared/data/session';
import { NameField } from '../../shared/form/fields/name-field';
import { FormDialog } from '../../shared/form/form-dialog';
import { readQuery } from '../../shared/list/view-search';
import { faultAt } from '../../shared/text/faults';
import { notify } from '../../shared/ui/notify';
import { type CheckView, VIEW_WORDS } from './words';

const NAME_MAX = 100;

interface ViewFormProps {
  readonly list: CheckView;
  /** The view to change. null to save the current state of the page as a new view. */
  readonly stored: SavedView | null;
  readonly path: string;
  readonly onClose: () => void;
}

export function ViewForm({ list, stored, path, onClose }: ViewFormProps) {
  const [search, setSearch] = useSearchState();
  const { user } = useSession();
  const [name, setName] = useState(stored?.name ?? '');
  const [isShared, setIsShared] = useState(stored?.isShared ?? false);
  const { mutate, isPending, error } = useChange<SavedView>([path]);
  const isLocked = stored?.isShared === true && stored.createdBy !== user?.id;
  const save = (): void => {
    const change =
      stored === null
        ? ({
            method: 'POST',
            path,
            body: { name, isShared, list, query: readQuery(search) },
          } as const)
        : ({ method: 'PATCH', path: `${path}/${stored.id}`, body: { name, isShared } } as const);
    mutate(change, {
      onSuccess: ({ id }) => {
        notify(VIEW_WORDS.saved);
        setSearch({ view: id });
        onClose();
      },
    });
  };
  return (
    <FormDialog
      title={stored === null ? VIEW_WORDS.saveTitle : VIEW_WORDS.renameTitle}
      problem={error}
      isPending={isPending}
      onSubmit={save}
      onClose={onClose}
    >
      {stored === null && <Text size="sm">{VIEW_WORDS.saveAbout}</Text>}
      <NameField
        maxLength={NAME_MAX}
        value={name}
        onChange={setName}
        error={faultAt(error, 'name')}
        autoComplete="off"
      />
      <Switch
        label={VIEW_WORDS.share}
        description={isLocked ? VIEW_WORDS.shareLocked : VIEW_WORDS.shareHint}
        checked={isShared}
        disabled={isLocked}
        onChange={({ currentTarget }) => setIsShared(currentTarget.checked)}
      />
    </FormDialog>
  );
}

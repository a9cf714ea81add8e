/** The form of an object with a key: its name, its key, and the fields of its kind. Sends a POST or a PUT. */
import { TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useChange } from '../../../shared/data/queries';
import { NameField } from '../../../shared/form/fields/name-field';
import { FormDialog } from '../../../shared/form/form-dialog';
import type { Problems } from '../../../shared/form/problems/problems';
import { RolloutDialog } from '../../../shared/rollouts/rollout-dialog';
import { faultAt } from '../../../shared/text/faults';
import { notify } from '../../../shared/ui/notify';
import { type Edited, type Keyed, type KeyedDraft, type KeyedKind, nameDraft } from './keyed';

/** The props of the component that renders the fields of a kind. */
export interface KeyedFields<Draft> {
  readonly draft: Draft;
  readonly set: (patch: Partial<Draft>) => void;
  /** Returns the error message of the field at the path. null if there is none. */
  readonly fault: (path: string) => string | null;
  readonly problems: Problems;
}

interface KeyedFormProps<Item, Draft> extends Edited<Item> {
  readonly kind: KeyedKind;
  readonly createDraft: (item: Item | null) => Draft;
  /** Builds the body for the API. If a required field is missing, the API reports it. */
  readonly buildBody: (draft: Draft) => object;
  /** Returns the id of the rollout that saving has started. null if no check uses the object. */
  readonly findRollout?: (saved: Item) => Promise<string | null>;
  readonly children: (fields: KeyedFields<Draft>) => ReactNode;
}

export function KeyedForm<Item extends Keyed, Draft extends KeyedDraft>(
  props: KeyedFormProps<Item, Draft>,
) {
  const { kind, item, createDraft, buildBody, findRollout, onClose, children } = props;
  const [draft, setDraft] = useState(() => createDraft(item));
  const { mutate, isPending, error } = useChange<Item>(kind.touches);
  const set = (patch: Partial<Draft>): void => setDraft({ ...draft, ...patch });
  const fault = (path: string): string | null => faultAt(error, path);
  const isNew = item === null;
  const rename = (name: string): void =>
    setDraft({ ...draft, ...(isNew ? nameDraft(draft, name) : { name }) });
  const [rolloutId, setRolloutId] = useState<string | null>(null);
  const showRollout = async (saved: Item): Promise<void> => {
    const found = (await findRollout?.(saved).catch(() => null)) ?? null;
    if (found === null) onClose();
    else setRolloutId(found);
  };
  const save = (): void => {
    const onSuccess = (saved: Item): void => {
      notify(kind.text.saved);
      void showRollout(saved);
    };
    const target = isNew
      ? ({ method: 'POST', path: kind.path } as const)
      : ({ method: 'PUT', path: `${kind.path}/${item.id}`, ifVersion: item.version } as const);
    mutate({ ...target, body: buildBody(draft) }, { onSuccess });
  };
  if (rolloutId !== null) return <RolloutDialog id={rolloutId} onClose={onClose} />;
  return (
    <FormDialog
      title={isNew ? kind.text.add : kind.text.edit}
      isUnchecked
      draft={draft}
      problem={error}
      isPending={isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <NameField value={draft.name} onChange={rename} error={fault('name')} />
      <TextInput
        label="Key"
        description="Identifier in configuration files. It never changes."
        required
        disabled={!isNew}
        value={draft.key}
        onChange={({ currentTarget }) => setDraft({ ...draft, key: currentTarget.value })}
        error={fault('key')}
      />
      {children({ draft, set, fault, problems: error?.errors ?? [] })}
    </FormDialog>
  );
}

/** Makes or changes a status page. What is chosen here is all that outsiders will read. */
import { Modal, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type {
  ListedMonitor,
  ListedScenario,
  Page,
  StatusPage,
} from '../../../shared/data/api-types';
import { useChange, useRead } from '../../../shared/data/queries';
import { useUnsaved } from '../../../shared/form/unsaved';
import { faultAt } from '../../../shared/text/faults';
import { FormFoot } from '../../../shared/ui/form-foot';
import { tell } from '../../../shared/ui/notify';
import { type Choice, GroupFields } from './group-fields';
import { bodyOf, draftOf, type PageDraft } from './page-draft';
import { TEXT } from './strings';

interface PageFormProps {
  /** null for a new one. */
  readonly page: StatusPage | null;
  readonly onClose: () => void;
}

const MANY = 500;

export function PageForm({ page, onClose }: PageFormProps) {
  const [draft, setDraft] = useState(() => draftOf(page));
  const choices = useChoices();
  const { leave, isAsking } = useUnsaved(draft);
  const close = (): void => leave(onClose);
  const { mutate, isPending, error } = useChange<StatusPage>(['/v1/status-pages']);
  const save = (event: FormEvent): void => {
    event.preventDefault();
    mutate(
      page === null
        ? { method: 'POST', path: '/v1/status-pages', body: bodyOf(draft) }
        : {
            method: 'PATCH',
            path: `/v1/status-pages/${page.id}`,
            body: bodyOf(draft),
            ifVersion: page.version,
          },
      {
        onSuccess: () => {
          tell(TEXT.saved);
          onClose();
        },
      },
    );
  };
  const change = (changes: Partial<PageDraft>) => setDraft({ ...draft, ...changes });
  const faultOf = (field: string) => faultAt(error, field);
  return (
    <Modal
      opened
      onClose={close}
      closeOnEscape={!isAsking}
      size="lg"
      title={page === null ? TEXT.add : page.title}
    >
      <form onSubmit={save}>
        <Stack>
          <NameFields draft={draft} onChange={change} faultOf={faultOf} />
          <Text fw={600}>{TEXT.groups}</Text>
          <GroupFields
            groups={draft.groups}
            choices={choices}
            onChange={(groups) => change({ groups })}
          />
          <Switch
            label={TEXT.publicSwitch}
            checked={draft.isPublic}
            onChange={({ currentTarget }) => change({ isPublic: currentTarget.checked })}
          />
          <Switch
            label={TEXT.badgeSwitch}
            checked={draft.showBadges}
            onChange={({ currentTarget }) => change({ showBadges: currentTarget.checked })}
          />
          <FormFoot problem={error} isPending={isPending} onCancel={close} />
        </Stack>
      </form>
    </Modal>
  );
}

interface NameFieldsProps {
  readonly draft: PageDraft;
  readonly onChange: (changes: Partial<PageDraft>) => void;
  readonly faultOf: (field: string) => string | null;
}

function NameFields({ draft, onChange, faultOf }: NameFieldsProps) {
  return (
    <>
      <TextInput
        label={TEXT.title}
        required
        data-autofocus
        maxLength={200}
        value={draft.title}
        onChange={({ currentTarget }) => onChange({ title: currentTarget.value })}
        error={faultOf('title')}
      />
      <TextInput
        label={TEXT.slug}
        description={TEXT.slugHint}
        required
        minLength={3}
        maxLength={60}
        value={draft.slug}
        onChange={({ currentTarget }) => onChange({ slug: currentTarget.value })}
        error={faultOf('slug')}
      />
      <Textarea
        label={TEXT.description}
        maxLength={2_000}
        autosize
        minRows={2}
        value={draft.description}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
        error={faultOf('description')}
      />
    </>
  );
}

/** Monitors first. Of a very large account, the newest of each kind. */
function useChoices(): readonly Choice[] {
  const monitors = useRead<Page<ListedMonitor>>(`/v1/monitors?limit=${MANY}`);
  const scenarios = useRead<Page<ListedScenario>>(`/v1/scenarios?limit=${MANY}`);
  return [...(monitors.data?.data ?? []), ...(scenarios.data?.data ?? [])].map(({ id, name }) => ({
    value: id,
    label: name,
  }));
}

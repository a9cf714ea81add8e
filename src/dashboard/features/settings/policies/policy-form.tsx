/** Creates or edits an alert policy. */
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AlertPolicy } from '../../../shared/data/api-types';
import { useChange } from '../../../shared/data/queries';
import { FormDialog } from '../../../shared/form/form-dialog';
import { NameField } from '../../../shared/form/name-field';
import { faultAt } from '../../../shared/text/faults';
import { notify } from '../../../shared/ui/notify';
import { buildBody, createDraft, type PolicyDraft, withName } from './policy-draft';
import { QuietFields } from './quiet-fields';
import { StepFields } from './step-fields';
import { TEXT } from './strings';
import { useContacts } from './use-contacts';

interface PolicyFormProps {
  /** null for a new policy. */
  readonly policy: AlertPolicy | null;
  readonly onClose: () => void;
}

export function PolicyForm({ policy, onClose }: PolicyFormProps) {
  const [draft, setDraft] = useState(() => createDraft(policy));
  const contacts = useContacts();
  const { mutate, isPending, error } = useChange<AlertPolicy>(['/v1/alert-policies']);
  const set = (patch: Partial<PolicyDraft>): void => setDraft({ ...draft, ...patch });
  const fault = (path: string): string | null => faultAt(error, path);
  const save = (): void => {
    const onSuccess = (): void => {
      notify('Policy saved. Escalations under way keep the policy they began with.');
      onClose();
    };
    mutate(buildRequest(policy, draft), { onSuccess });
  };
  return (
    <FormDialog
      size="lg"
      title={policy === null ? TEXT.add : 'Edit policy'}
      isUnchecked
      draft={draft}
      problem={error}
      isPending={isPending}
      onSubmit={save}
      onClose={onClose}
    >
      <NameField
        value={draft.name}
        onChange={(name) => set(policy === null ? withName(draft, name) : { name })}
        error={fault('name')}
      />
      <TextInput
        label="Key"
        description="Identifier in configuration files. It never changes."
        required
        disabled={policy !== null}
        value={draft.key}
        onChange={({ currentTarget }) => set({ key: currentTarget.value })}
        error={fault('key')}
      />
      <StepFields
        steps={draft.steps}
        contacts={contacts}
        onChange={(steps) => set({ steps })}
        fault={fault}
      />
      <QuietFields
        value={draft.quietHours}
        onChange={(quietHours) => set({ quietHours })}
        fault={fault}
      />
      <Select
        label="Last resort"
        description="Fallback if no one else can be reached"
        placeholder="None"
        data={[...contacts.channels]}
        value={draft.lastResort}
        onChange={(lastResort) => set({ lastResort })}
        error={fault('lastResort')}
        clearable
      />
    </FormDialog>
  );
}

function buildRequest(policy: AlertPolicy | null, draft: PolicyDraft) {
  const body = buildBody(draft);
  if (policy === null) return { method: 'POST', path: '/v1/alert-policies', body } as const;
  const { id, version } = policy;
  return { method: 'PUT', path: `/v1/alert-policies/${id}`, body, ifVersion: version } as const;
}

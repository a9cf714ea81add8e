/** Creates or edits an alert policy. */
import { Select } from '@mantine/core';
import type { AlertPolicy } from '../../../shared/data/api-types';
import type { Edited } from '../keyed/keyed';
import { KeyedForm } from '../keyed/keyed-form';
import { buildBody, createDraft } from './policy-draft';
import { QuietFields } from './quiet-fields';
import { StepFields } from './step-fields';
import { POLICIES } from './strings';
import { useContacts } from './use-contacts';

export function PolicyForm(edited: Edited<AlertPolicy>) {
  const contacts = useContacts();
  return (
    <KeyedForm kind={POLICIES} {...edited} createDraft={createDraft} buildBody={buildBody}>
      {({ draft, set, fault }) => (
        <>
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
        </>
      )}
    </KeyedForm>
  );
}

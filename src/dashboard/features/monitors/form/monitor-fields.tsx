/** The fields of a monitor. Common fields are visible, the other fields are collapsed. */
import { Accordion, Stack } from '@mantine/core';
import { useState } from 'react';
import { BODY_FIELDS } from '../../../../contracts/definition';
import { AuthField } from '../../../shared/auth/auth-field';
import {
  AlertsInput,
  type FieldsProps,
  GroupAndTags,
  NameField,
  ScheduleFields,
  Section,
} from '../../../shared/definition/definition-fields';
import { OriginNote } from '../../../shared/definition/origin-note';
import { mayHaveBody } from '../../../shared/definition/request-draft';
import { BodyInput, MethodAndUrl } from '../../../shared/definition/request-inputs';
import { suggestName } from '../../../shared/definition/typed-url';
import { AssertionsField } from '../../../shared/form/assertions-field';
import { HeadersField } from '../../../shared/form/headers-field';
import { hasProblemUnder } from '../../../shared/form/problems';
import { LearnMore } from '../../../shared/ui/learn-more';
import { ADVANCED_FIELDS, MonitorAdvanced } from './monitor-advanced';
import type { MonitorDraft } from './monitor-draft';

/** Collapsed sections with their fields. A section with a problem opens automatically. */
const FOLDED = {
  request: ['headers', 'auth', ...BODY_FIELDS],
  advanced: ADVANCED_FIELDS,
} as const;

export function MonitorFields(props: FieldsProps<MonitorDraft>) {
  const { draft, set, problems } = props;
  const [opened, setOpened] = useState<string[]>(() =>
    draft.headers.length > 0 || draft.auth.type !== null ? ['request'] : [],
  );
  const broken = Object.entries(FOLDED)
    .filter(([, fields]) => fields.some((field) => hasProblemUnder(problems, field)))
    .map(([name]) => name);
  return (
    <Stack>
      <Section title="Request" fieldsAt="monitor">
        <Stack gap="sm">
          <MethodAndUrl {...props} placeholder="https://example.com/" />
          <OriginNote field="method" />
          <NameField {...props} otherwise={suggestName(draft.url)} />
          <ScheduleFields {...props} noRegions="All regions" />
        </Stack>
      </Section>
      <Section title="Assertions" fieldsAt="assertion">
        <AssertionsField
          value={draft.assertions}
          onChange={(assertions) => set({ assertions })}
          problems={problems}
          path="assertions"
        />
        <OriginNote field="assertions" />
      </Section>
      <Section title="Alerts" fieldsAt="monitor.alerts">
        <AlertsInput {...props} type="monitor" url={draft.url} />
      </Section>
      <Section title="Group and tags" fieldsAt="monitor.group">
        <GroupAndTags {...props} noGroup="Domain of the URL" />
      </Section>
      <Accordion
        multiple
        variant="contained"
        value={[...new Set([...opened, ...broken])]}
        onChange={setOpened}
        keepMounted={false}
      >
        <Accordion.Item value="request">
          <Accordion.Control data-holds={FOLDED.request.join(' ')}>
            {mayHaveBody(draft) ? 'Headers, authentication and body' : 'Headers and authentication'}
          </Accordion.Control>
          <Accordion.Panel>
            <Stack>
              <HeadersField
                value={draft.headers}
                onChange={(headers) => set({ headers })}
                problems={problems}
                path="headers"
              />
              <OriginNote field="headers" />
              <AuthField
                value={draft.auth}
                onChange={(auth) => set({ auth })}
                problems={problems}
                path="auth"
                otherwise="None"
              />
              <OriginNote field="auth" />
              <BodyInput {...props} label="Body" />
              {BODY_FIELDS.map((field) => (
                <OriginNote key={field} field={field} />
              ))}
              <LearnMore fieldsAt="monitor.headers" about="headers and body" />
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="advanced">
          <Accordion.Control data-holds={FOLDED.advanced.join(' ')}>Advanced</Accordion.Control>
          <Accordion.Panel>
            <MonitorAdvanced {...props} />
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </Stack>
  );
}

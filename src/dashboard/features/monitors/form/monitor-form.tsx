/** The form of an HTTP monitor, with a test panel next to it. */
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { BODY_FIELDS } from '../../../../contracts/definition';
import { monitorOptionFields } from '../../../../kinds/http/shape';
import { AuthField } from '../../../shared/auth/auth-field';
import { sumUp } from '../../../shared/definition/changes';
import {
  AlertsInput,
  type FieldsProps,
  GroupAndTags,
  KeyField,
  NameField,
  ScheduleFields,
  Section,
} from '../../../shared/definition/definition-fields';
import { NumberOptions, SwitchOptions } from '../../../shared/definition/option-inputs';
import { OriginNote } from '../../../shared/definition/origin-note';
import { mayHaveBody } from '../../../shared/definition/request-draft';
import { BodyInput, MethodAndUrl } from '../../../shared/definition/request-inputs';
import { RouteInputs } from '../../../shared/definition/route-inputs';
import { suggestName } from '../../../shared/definition/typed-url';
import { type Saved, useDefinition } from '../../../shared/definition/use-definition';
import { AssertionsField } from '../../../shared/form/assertions/assertions-field';
import { VariablesField } from '../../../shared/form/fields/variables-field';
import { WarnDaysField } from '../../../shared/form/fields/warn-days-field';
import { type FoldedSection, FoldedSections } from '../../../shared/form/fold/folded-sections';
import { HeadersField } from '../../../shared/form/headers/headers-field';
import { TRUST_WORDS } from '../../../shared/tls/tls-draft';
import { TlsField } from '../../../shared/tls/tls-field';
import { LearnMore } from '../../../shared/ui/learn-more';
import { listAdvancedChanges, listRequestChanges } from './changes';
import { MONITOR, type MonitorDraft } from './monitor-draft';
import { MONITOR_OPTION_TEXTS } from './monitor-options';
import { QuorumField } from './quorum-field';
import { TestPanel } from './test-panel';
import { TestedForm } from './tested-form';

interface MonitorFormProps {
  readonly initial: MonitorDraft;
  /** null for a new monitor. */
  readonly saved: Saved | null;
}

export function MonitorForm({ initial, saved }: MonitorFormProps) {
  const definition = useDefinition(MONITOR, initial, saved);
  const { draft, change, problems, found, tested } = definition;
  const fields = {
    draft,
    set: (patch: Partial<MonitorDraft>) => change({ ...draft, ...patch }),
    problems,
  };
  return (
    <TestedForm
      definition={definition}
      target={<Target {...fields} />}
      test={
        <TestPanel
          kind={MONITOR}
          draft={draft}
          problems={found}
          onTested={tested}
          onAssert={(assertion) =>
            change({ ...draft, assertions: [...draft.assertions, assertion] })
          }
        />
      }
    >
      <MonitorFields {...fields} />
    </TestedForm>
  );
}

const REQUEST_FIELDS: readonly string[] = ['headers', 'auth', ...BODY_FIELDS];

const ADVANCED_FIELDS: readonly string[] = [
  ...Object.keys(monitorOptionFields),
  'quorum',
  'tls',
  'proxy',
  'ipFamily',
  'httpVersion',
  'key',
  'variables',
];

/** Returns the name that the monitor gets if none is typed. Empty if the URL is typed, but gives no name. */
function choosePlaceholder(url: string): string {
  return /^(?:https?:\/\/)?$/i.test(url.trim()) ? 'Taken from the URL' : suggestName(url);
}

function Target(props: FieldsProps<MonitorDraft>) {
  return (
    <Section title="Request" fieldsAt="monitor">
      <Stack gap="sm">
        <MethodAndUrl {...props} placeholder="https://example.com/" />
        <OriginNote field="method" />
        <NameField {...props} otherwise={choosePlaceholder(props.draft.url)} />
        <ScheduleFields {...props} noRegions="All regions" />
      </Stack>
    </Section>
  );
}

/** The fields after the target. Common fields are visible. All other fields are folded. */
function MonitorFields(props: FieldsProps<MonitorDraft>) {
  const { draft, set, problems } = props;
  const sections: readonly FoldedSection[] = [
    {
      name: 'request',
      title: mayHaveBody(draft) ? 'Headers, authentication and body' : 'Headers and authentication',
      summary: sumUp(listRequestChanges(draft), 'None'),
      fields: REQUEST_FIELDS,
      content: <RequestFields {...props} />,
    },
    {
      name: 'advanced',
      title: 'Advanced',
      summary: sumUp(listAdvancedChanges(draft), 'Timeout, retries, thresholds, TLS, variables'),
      fields: ADVANCED_FIELDS,
      content: <MonitorAdvanced {...props} />,
    },
  ];
  return (
    <>
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
      <FoldedSections
        sections={sections}
        problems={problems}
        openAtFirst={draft.headers.length > 0 || draft.auth.type !== null ? ['request'] : []}
      />
    </>
  );
}

function RequestFields(props: FieldsProps<MonitorDraft>) {
  const { draft, set, problems } = props;
  return (
    <>
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
    </>
  );
}

/** Monitor fields that most users never change. */
function MonitorAdvanced(props: FieldsProps<MonitorDraft>) {
  const { draft, set, problems } = props;
  const options = {
    fields: monitorOptionFields,
    texts: MONITOR_OPTION_TEXTS,
    value: draft,
    onChange: set,
    problems,
  };
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NumberOptions {...options} />
        <div>
          <QuorumField draft={draft} set={set} problems={problems} />
          <OriginNote field="quorum" />
        </div>
        <WarnDaysField
          value={draft.warnDays}
          onChange={(warnDays) => set({ warnDays })}
          problems={problems}
          path="tls.warnDays"
        />
        <KeyField {...props} />
      </SimpleGrid>
      <SwitchOptions {...options} />
      <TlsField
        value={draft.tls}
        onChange={(tls) => set({ tls })}
        problems={problems}
        path="tls"
        otherwise={TRUST_WORDS.system}
      />
      <OriginNote field="tls" />
      <RouteInputs
        value={draft}
        onChange={set}
        problems={problems}
        prefix=""
        otherwise="As usual"
      />
      <div>
        <Text fw={500} size="sm" mb={4}>
          Variables, used as {'{{name}}'} in the URL, headers and body
        </Text>
        <VariablesField
          value={draft.variables}
          onChange={(variables) => set({ variables })}
          problems={problems}
        />
        <OriginNote field="variables" />
      </div>
      <LearnMore fieldsAt="monitor.timeoutMs" about="these options" />
    </Stack>
  );
}

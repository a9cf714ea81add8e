/** The fields of a scenario, except its steps. */
import { Select, Stack, Text } from '@mantine/core';
import { scenarioOptionFields } from '../../../../schemas/scenario';
import { useAlertSummary } from '../../../shared/alerts/use-alert-summary';
import { AuthField } from '../../../shared/auth/auth-field';
import { ALERT_FIELDS, listAlertChanges, sumUp } from '../../../shared/definition/changes';
import {
  AlertsInput,
  type FieldsProps,
  GroupAndTags,
  KeyField,
  NameField,
  ScheduleFields,
} from '../../../shared/definition/definition-fields';
import { NumberOptions, SwitchOptions } from '../../../shared/definition/option-inputs';
import { OriginNote } from '../../../shared/definition/origin-note';
import { RouteInputs } from '../../../shared/definition/route-inputs';
import { VariablesField } from '../../../shared/form/fields/variables-field';
import { type FoldedSection, FoldedSections } from '../../../shared/form/fold/folded-sections';
import type { VariableRow } from '../../../shared/form/rows/rows';
import { TRUST_WORDS } from '../../../shared/tls/tls-draft';
import { TlsField } from '../../../shared/tls/tls-field';
import { LearnMore } from '../../../shared/ui/learn-more';
import type { Draft } from '../draft/draft';
import { SCENARIO_OPTION_TEXTS } from '../draft/scenario-options';
import { describeSchedule, listMoreChanges, listVariables } from './summaries';

interface GeneralFieldsProps extends FieldsProps<Draft> {
  /** True means that the sections are open at first. */
  readonly isNew: boolean;
  readonly onVariables: (variables: readonly VariableRow[]) => void;
}

/** The name, schedule and variables. Each section is folded into one line, so that the steps are in view. */
export function GeneralFields({ isNew, onVariables, ...props }: GeneralFieldsProps) {
  const { draft, problems } = props;
  const sections: readonly FoldedSection[] = [
    {
      name: 'schedule',
      title: 'Name and schedule',
      summary: describeSchedule(draft),
      fields: ['name', 'interval', 'regions', 'environment'],
      content: (
        <>
          <NameField {...props} />
          <ScheduleFields {...props} noRegions="Default region" />
          <LearnMore fieldsAt="scenario" about="name and schedule" />
        </>
      ),
    },
    {
      name: 'variables',
      title: 'Variables',
      summary: listVariables(draft.variables),
      fields: ['variables'],
      content: (
        <>
          <Text size="sm" c="dimmed">
            {'Use them as {{name}}. Secret values are stored encrypted and never shown again.'}{' '}
            <LearnMore fieldsAt="scenario.variables" about="variables" />
          </Text>
          <VariablesField value={draft.variables} onChange={onVariables} problems={problems} />
          <OriginNote field="variables" />
        </>
      ),
    },
  ];
  return (
    <FoldedSections
      sections={sections}
      problems={problems}
      openAtFirst={isNew ? sections.map(({ name }) => name) : []}
    />
  );
}

const MORE_FIELDS = [
  'auth',
  'tls',
  'proxy',
  'ipFamily',
  'httpVersion',
  'onFailure',
  ...Object.keys(scenarioOptionFields),
  'group',
  'tags',
  'key',
];

export function MoreFields(props: FieldsProps<Draft>) {
  const { draft, problems } = props;
  const recipients = useAlertSummary(draft.alerts);
  const sections: readonly FoldedSection[] = [
    {
      name: 'alerts',
      title: 'Alerts',
      summary: sumUp([recipients, ...listAlertChanges(draft)].filter(Boolean), ''),
      fields: ALERT_FIELDS,
      content: (
        <>
          <AlertsInput {...props} type="scenario" url={draft.steps[0]?.url ?? null} />
          <LearnMore fieldsAt="scenario.alerts" about="alerts" />
        </>
      ),
    },
    {
      name: 'more',
      title: 'More settings',
      summary: sumUp(listMoreChanges(draft), 'Authentication, TLS, proxy, time limit, group, tags'),
      fields: MORE_FIELDS,
      content: <Advanced {...props} />,
    },
  ];
  return <FoldedSections sections={sections} problems={problems} />;
}

function Advanced(props: FieldsProps<Draft>) {
  const { draft, set, problems } = props;
  const options = {
    fields: scenarioOptionFields,
    texts: SCENARIO_OPTION_TEXTS,
    value: draft,
    onChange: set,
    problems,
  };
  return (
    <Stack>
      <AuthField
        value={draft.auth}
        onChange={(auth) => set({ auth })}
        problems={problems}
        path="auth"
        otherwise="Each step has its own"
      />
      <OriginNote field="auth" />
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
      <Select
        label="After a step has failed"
        data={[
          { value: 'stop', label: 'Skip the rest, except steps that always run' },
          { value: 'continue', label: 'Continue with the next step' },
        ]}
        value={draft.onFailure}
        onChange={(next) => set({ onFailure: next === 'continue' ? 'continue' : 'stop' })}
        allowDeselect={false}
      />
      <OriginNote field="onFailure" />
      <SwitchOptions {...options} />
      <NumberOptions {...options} />
      <GroupAndTags {...props} noGroup="Domain of the first step" />
      <KeyField {...props} />
      <LearnMore fieldsAt="scenario.onFailure" about="these options" />
    </Stack>
  );
}

/** The fields of a scenario, except its steps. */
import { Accordion, Select, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { scenarioOptionFields } from '../../../../schemas/scenario';
import { AuthField } from '../../../shared/auth/auth-field';
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
import { hasProblemUnder } from '../../../shared/form/problems';
import type { VariableRow } from '../../../shared/form/rows';
import { VariablesField } from '../../../shared/form/variables-field';
import { TRUST_WORDS } from '../../../shared/tls/tls-draft';
import { TlsField } from '../../../shared/tls/tls-field';
import { LearnMore } from '../../../shared/ui/learn-more';
import classes from '../builder/builder.module.css';
import type { Draft } from '../draft/draft';
import { SCENARIO_OPTION_TEXTS } from '../draft/scenario-options';
import { listVariables, sayWhen } from './summaries';

/** The sections above the steps, with the fields whose problems open them. */
const FOLDED = {
  schedule: ['name', 'interval', 'regions', 'environment'],
  variables: ['variables'],
} as const;

interface GeneralFieldsProps extends FieldsProps<Draft> {
  /** True means that the sections are open at first. */
  readonly isNew: boolean;
  readonly onVariables: (variables: readonly VariableRow[]) => void;
}

/** The name, schedule and variables. Each section is folded into one line, so that the steps are in view. */
export function GeneralFields({ isNew, onVariables, ...props }: GeneralFieldsProps) {
  const { draft, problems } = props;
  const [opened, setOpened] = useState<string[]>(() => (isNew ? Object.keys(FOLDED) : []));
  const broken = Object.entries(FOLDED)
    .filter(([, fields]) => fields.some((field) => hasProblemUnder(problems, field)))
    .map(([name]) => name);
  return (
    <Accordion
      variant="contained"
      order={2}
      multiple
      value={[...new Set([...opened, ...broken])]}
      onChange={setOpened}
      keepMounted={false}
      className={classes['folded'] ?? ''}
    >
      <Folded name="schedule" title="Name and schedule" summary={sayWhen(draft)}>
        <NameField {...props} />
        <ScheduleFields {...props} noRegions="Default region" />
        <LearnMore fieldsAt="scenario" about="name and schedule" />
      </Folded>
      <Folded name="variables" title="Variables" summary={listVariables(draft.variables)}>
        <Text size="sm" c="dimmed">
          {'Use them as {{name}}. Secret values are stored encrypted and never shown again.'}{' '}
          <LearnMore fieldsAt="scenario.variables" about="variables" />
        </Text>
        <VariablesField value={draft.variables} onChange={onVariables} problems={problems} />
        <OriginNote field="variables" />
      </Folded>
    </Accordion>
  );
}

interface FoldedProps {
  readonly name: keyof typeof FOLDED;
  readonly title: string;
  readonly summary: string;
  readonly children: ReactNode;
}

function Folded({ name, title, summary, children }: FoldedProps) {
  return (
    <Accordion.Item value={name}>
      <Accordion.Control data-holds={FOLDED[name].join(' ')}>
        <span className={classes['foldedTitle']}>{title}</span>{' '}
        <Text span size="sm" c="dimmed">
          {summary}
        </Text>
      </Accordion.Control>
      <Accordion.Panel>
        <Stack gap="sm">{children}</Stack>
      </Accordion.Panel>
    </Accordion.Item>
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
  return (
    <Accordion variant="contained" order={2} multiple className={classes['folded'] ?? ''}>
      <Accordion.Item value="alerts">
        <Accordion.Control data-path="alerts">Alerts</Accordion.Control>
        <Accordion.Panel>
          <Stack gap="sm">
            <AlertsInput {...props} type="scenario" url={props.draft.steps[0]?.url ?? null} />
            <LearnMore fieldsAt="scenario.alerts" about="alerts" />
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
      <Accordion.Item value="more">
        <Accordion.Control data-holds={MORE_FIELDS.join(' ')}>More settings</Accordion.Control>
        <Accordion.Panel>
          <Advanced {...props} />
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
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

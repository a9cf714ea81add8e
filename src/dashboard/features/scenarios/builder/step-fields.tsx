/** The fields of one step. Everything typed becomes a new step; nothing is kept here. */
import { Checkbox, Group, Select, Stack, Switch, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { COOKIE_MODES, HTTP_METHODS } from '../../../../contracts/definition';
import { STEP_OPTION_DEFAULTS } from '../../../../schemas/request-options';
import { AssertionsField } from '../../../shared/form/assertions-field';
import { BodyField } from '../../../shared/form/body-field';
import type { OfferedName } from '../../../shared/form/complete-reference';
import { HeadersField } from '../../../shared/form/headers-field';
import { labelOf } from '../../../shared/form/labels';
import { fieldAt, type Problems } from '../../../shared/form/problems';
import { RequestOptionInputs } from '../../../shared/form/request-option-inputs';
import { bodyField } from '../../../shared/form/rows';
import { TemplateInput } from '../../../shared/form/template-input';
import { WarnDaysField } from '../../../shared/form/warn-days-field';
import type { DraftExtraction, DraftStep } from '../draft/draft';
import { NumberField } from '../form/number-field';
import classes from './builder.module.css';
import { BUILDER_TEXT, COOKIE_WORDS } from './builder-strings';
import { ExtractField } from './extract-field';

export interface Offered {
  readonly inAddress: readonly OfferedName[];
  readonly elsewhere: readonly OfferedName[];
}

export interface StepFieldsProps {
  readonly step: DraftStep;
  readonly index: number;
  readonly offered: Offered;
  readonly problems: Problems;
  readonly onChange: (next: DraftStep) => void;
  /** For what may break references of later steps. */
  readonly onRemoveExtraction: (left: readonly DraftExtraction[]) => void;
}

export function StepFields(props: StepFieldsProps) {
  const { step, index, offered, problems, onChange, onRemoveExtraction } = props;
  const path = `steps[${index}]`;
  const set = (patch: Partial<DraftStep>): void => onChange({ ...step, ...patch });
  const bodyPath = `${path}.${bodyField(step.body.mode)}`;
  const mayHaveBody = step.method !== 'GET' && step.method !== 'HEAD';
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        value={step.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        {...fieldAt(problems, `${path}.name`)}
        maxLength={200}
      />
      <div className={classes['request']}>
        <Select
          label="Method"
          data={[...HTTP_METHODS]}
          value={step.method}
          onChange={(method) => method !== null && set({ method })}
          {...fieldAt(problems, `${path}.method`)}
          allowDeselect={false}
        />
        <TemplateInput
          label="URL"
          placeholder="{{baseUrl}}/orders"
          value={step.url}
          onValue={(url) => set({ url })}
          names={offered.inAddress}
          {...fieldAt(problems, `${path}.url`)}
        />
      </div>
      <Part title={BUILDER_TEXT.headers}>
        <HeadersField
          value={step.headers}
          onChange={(headers) => set({ headers })}
          problems={problems}
          path={`${path}.headers`}
          names={offered.elsewhere}
        />
      </Part>
      {(mayHaveBody || step.body.mode !== 'none') && (
        <Part title={BUILDER_TEXT.body}>
          <BodyField
            label={`Body of ${step.name}`}
            path={bodyPath}
            value={step.body}
            onChange={(body) => set({ body })}
            problem={bodyProblem(problems, bodyPath)}
            names={offered.elsewhere}
          />
        </Part>
      )}
      <Part title={BUILDER_TEXT.extract} hint={BUILDER_TEXT.extractHint}>
        <ExtractField
          value={step.extract}
          onChange={(extract) => set({ extract })}
          onRemove={onRemoveExtraction}
          problems={problems}
          path={`${path}.extract`}
        />
      </Part>
      <Part title={BUILDER_TEXT.assertions}>
        <AssertionsField
          value={step.assertions}
          onChange={(assertions) => set({ assertions })}
          problems={problems}
          path={`${path}.assertions`}
        />
      </Part>
      <Part title={BUILDER_TEXT.timing}>
        <Timing step={step} set={set} problems={problems} path={path} />
      </Part>
    </Stack>
  );
}

/** Of the body, or of any text within it. */
function bodyProblem(problems: Problems, path: string): string | undefined {
  const found = problems.find(({ path: at }) => at === path || /^[.[]/.test(rest(at, path)));
  if (found === undefined) return undefined;
  return found.path === path
    ? found.message
    : `${labelOf(rest(found.path, path))} ${found.message}`;
}

function rest(path: string, above: string): string {
  return path.startsWith(above) ? path.slice(above.length) : '';
}

interface TimingProps {
  readonly step: DraftStep;
  readonly set: (patch: Partial<DraftStep>) => void;
  readonly problems: Problems;
  readonly path: string;
}

function Timing({ step, set, problems, path }: TimingProps) {
  const { until } = step;
  const at = (field: string) => fieldAt(problems, `${path}.${field}`);
  const options = {
    value: step,
    defaults: STEP_OPTION_DEFAULTS,
    onChange: set,
    problems,
    prefix: `${path}.`,
  };
  return (
    <Stack gap="sm">
      <div className={classes['numbers']}>
        <NumberField
          label="Wait before (seconds)"
          placeholder="0"
          value={step.waitSeconds}
          onValue={(waitSeconds) => set({ waitSeconds })}
          {...at('waitSeconds')}
        />
        <RequestOptionInputs {...options} type="number" />
        <NumberField
          label="Degraded above (ms)"
          placeholder="Never"
          value={step.degradedAboveMs}
          onValue={(degradedAboveMs) => set({ degradedAboveMs })}
          {...at('degradedAboveMs')}
        />
        <Select
          label="Cookies"
          data={COOKIE_MODES.map((value) => ({ value, label: COOKIE_WORDS[value] }))}
          value={step.cookies}
          onChange={(cookies) => cookies !== null && set({ cookies })}
          {...at('cookies')}
          allowDeselect={false}
        />
      </div>
      <Switch
        label="Retry until assertions pass"
        checked={until !== null}
        onChange={({ currentTarget }) =>
          set({ until: currentTarget.checked ? { everySeconds: 5, forSeconds: 60 } : null })
        }
      />
      {until !== null && (
        <div className={classes['numbers']}>
          <NumberField
            label="Every (seconds)"
            value={until.everySeconds}
            onValue={(everySeconds) => set({ until: { ...until, everySeconds } })}
            {...at('until.everySeconds')}
          />
          <NumberField
            label="Give up after (seconds)"
            value={until.forSeconds}
            onValue={(forSeconds) => set({ until: { ...until, forSeconds } })}
            {...at('until.forSeconds')}
          />
        </div>
      )}
      <WarnDaysField
        value={step.warnDays}
        onChange={(warnDays) => set({ warnDays })}
        problems={problems}
        path={`${path}.tls.warnDays`}
      />
      <Group gap="lg">
        <Checkbox
          label="Always run, even after a failure (clean-up)"
          checked={step.always}
          onChange={({ currentTarget }) => set({ always: currentTarget.checked })}
        />
        <RequestOptionInputs {...options} type="boolean" />
      </Group>
    </Stack>
  );
}

interface PartProps {
  readonly title: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

function Part({ title, hint, children }: PartProps) {
  return (
    <fieldset style={{ border: 0, margin: 0, padding: 0, minWidth: 0 }}>
      <Text component="legend" size="sm" fw={600} mb={4} p={0}>
        {title}
      </Text>
      {hint !== undefined && (
        <Text size="xs" c="dimmed" mb={6}>
          {hint}
        </Text>
      )}
      {children}
    </fieldset>
  );
}

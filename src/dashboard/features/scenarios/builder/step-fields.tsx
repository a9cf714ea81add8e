/** The fields of one step. Every change produces a new step object. */
import { Group, Select, Stack, Switch, TextInput } from '@mantine/core';
import { COOKIE_MODES } from '../../../../contracts/definition';
import { NETWORK_KINDS } from '../../../../contracts/kinds';
import { KIND_SHAPES } from '../../../../kinds/shapes';
import { kindStepOptionFields } from '../../../../kinds/steps';
import { stepFields } from '../../../../schemas/scenario';
import { AuthField } from '../../../shared/auth/auth-field';
import { listConnectionChanges, sumUp } from '../../../shared/definition/changes';
import { KindInputs } from '../../../shared/definition/kind-inputs';
import { NumberOptions, SwitchOptions } from '../../../shared/definition/option-inputs';
import { mayHaveBody } from '../../../shared/definition/request-draft';
import { BodyInput, MethodAndUrl } from '../../../shared/definition/request-inputs';
import { RouteInputs } from '../../../shared/definition/route-inputs';
import type { OfferedName } from '../../../shared/editor/complete-reference';
import { AssertionsField } from '../../../shared/form/assertions/assertions-field';
import { NumberField } from '../../../shared/form/fields/number-field';
import { WarnDaysField } from '../../../shared/form/fields/warn-days-field';
import { FoldedPart } from '../../../shared/form/fold/folded-part';
import { HeadersField } from '../../../shared/form/headers/headers-field';
import { fieldAt, hasProblemUnder, type Problems } from '../../../shared/form/problems/problems';
import { TRUST_WORDS } from '../../../shared/tls/tls-draft';
import { TlsField } from '../../../shared/tls/tls-field';
import { LearnMore } from '../../../shared/ui/learn-more';
import type { DraftExtraction, DraftStep, StepType } from '../draft/draft';
import { STEP_OPTION_TEXTS } from '../draft/scenario-options';
import type { SharedLabels } from '../draft/shared-labels';
import classes from './builder.module.css';
import { BUILDER_TEXT, COOKIE_WORDS, INHERITED } from './builder-strings';
import { ExtractField } from './extract-field';
import { Part } from './step-part';
import { listTimingChanges, TIMING_FIELDS } from './timing-changes';

export interface Offered {
  readonly inAddress: readonly OfferedName[];
  readonly elsewhere: readonly OfferedName[];
  /** Labels of the settings that the step can take from its scenario. */
  readonly shared: SharedLabels;
}

export interface StepFieldsProps {
  readonly step: DraftStep;
  readonly index: number;
  readonly offered: Offered;
  readonly problems: Problems;
  readonly onChange: (next: DraftStep) => void;
  /** Removes an extraction. It is separate from `onChange`, because the removal may break later references. */
  readonly onRemoveExtraction: (left: readonly DraftExtraction[]) => void;
}

export function StepFields(props: StepFieldsProps) {
  const { step, index, offered, problems, onChange, onRemoveExtraction } = props;
  const path = `steps[${index}]`;
  const set = (patch: Partial<DraftStep>): void => onChange({ ...step, ...patch });
  return (
    <Stack gap="md">
      <TextInput
        label="Name"
        value={step.name}
        onChange={({ currentTarget }) => set({ name: currentTarget.value })}
        {...fieldAt(problems, `${path}.name`)}
        maxLength={200}
      />
      <Select
        label="Type"
        data={STEP_TYPES}
        value={step.type}
        onChange={(type) => type !== null && set({ type })}
        {...fieldAt(problems, `${path}.type`)}
        allowDeselect={false}
      />
      {step.type === 'http' ? (
        <RequestFields step={step} set={set} problems={problems} path={path} offered={offered} />
      ) : (
        <>
          <KindInputs
            type={step.type}
            value={step.fields}
            onChange={(fields) => set({ fields })}
            problems={problems}
            prefix={`${path}.`}
            namesFor={(field) => (field === 'send' ? offered.elsewhere : offered.inAddress)}
          />
          <LearnMore fieldsAt={step.type} about="these checks" />
        </>
      )}
      <Part title="Extract" hint="Values for later steps, as {{name}}." fieldsAt="extraction">
        <ExtractField
          value={step.extract}
          onChange={(extract) => set({ extract })}
          onRemove={onRemoveExtraction}
          problems={problems}
          path={`${path}.extract`}
          type={step.type}
        />
      </Part>
      {step.type === 'http' && (
        <Part title="Assertions" fieldsAt="assertion">
          <AssertionsField
            value={step.assertions}
            onChange={(assertions) => set({ assertions })}
            problems={problems}
            path={`${path}.assertions`}
          />
        </Part>
      )}
      <Timing step={step} set={set} problems={problems} path={path} />
    </Stack>
  );
}

const STEP_TYPES: readonly { readonly value: StepType; readonly label: string }[] = [
  { value: 'http', label: 'HTTP request' },
  ...NETWORK_KINDS.map((value) => ({ value, label: KIND_SHAPES[value].words.label })),
];

interface RequestFieldsProps extends TimingProps {
  readonly offered: Offered;
}

function RequestFields({ step, set, problems, path, offered }: RequestFieldsProps) {
  const request = { draft: step, set, problems, prefix: `${path}.` };
  return (
    <>
      <MethodAndUrl
        {...request}
        names={offered.inAddress}
        placeholder="https://api.example.com/orders"
      />
      <Part title="Headers" fieldsAt="step.headers">
        <HeadersField
          value={step.headers}
          onChange={(headers) => set({ headers })}
          problems={problems}
          path={`${path}.headers`}
          names={offered.elsewhere}
        />
      </Part>
      <Part title="Authentication" fieldsAt="step.auth">
        <AuthField
          value={step.auth}
          onChange={(auth) => set({ auth })}
          problems={problems}
          path={`${path}.auth`}
          otherwise={offered.shared.auth ?? 'None'}
          mayOptOut={offered.shared.auth !== null}
          isTitled
          names={offered.elsewhere}
        />
      </Part>
      <TlsAndProxy
        key={step.id}
        step={step}
        set={set}
        problems={problems}
        path={path}
        offered={offered}
      />
      {mayHaveBody(step) && (
        <Part title="Body" fieldsAt="step.body">
          <BodyInput {...request} label={`Body of ${step.name}`} names={offered.elsewhere} />
        </Part>
      )}
    </>
  );
}

/** The TLS and proxy settings of a step. */
function TlsAndProxy({ step, set, problems, path, offered }: RequestFieldsProps) {
  const changes = listConnectionChanges(step);
  return (
    <FoldedPart
      title="TLS and proxy"
      summary={sumUp(changes, 'Certificates, proxy, IP version, HTTP version')}
      isOpenAtFirst={changes.length > 0}
      isBroken={['tls', 'proxy', 'ipFamily', 'httpVersion'].some((field) =>
        hasProblemUnder(problems, `${path}.${field}`),
      )}
    >
      <TlsField
        value={step.tls}
        onChange={(tls) => set({ tls })}
        problems={problems}
        path={`${path}.tls`}
        otherwise={offered.shared.trust ?? TRUST_WORDS.system}
        isShared={offered.shared.trust !== null}
      />
      <RouteInputs
        value={step}
        onChange={set}
        problems={problems}
        prefix={`${path}.`}
        otherwise={INHERITED}
      />
      <LearnMore fieldsAt="step.tls" about="TLS and proxy" />
    </FoldedPart>
  );
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
  const isRequest = step.type === 'http';
  const changes = listTimingChanges(step);
  const given = { onChange: set, problems, prefix: `${path}.`, value: step };
  const options = isRequest
    ? { ...given, fields: stepFields, texts: STEP_OPTION_TEXTS }
    : { ...given, fields: kindStepOptionFields, texts: STEP_OPTION_TEXTS };
  return (
    <FoldedPart
      title="Timing and repetition"
      summary={sumUp(changes, BUILDER_TEXT.timing)}
      isOpenAtFirst={changes.length > 0}
      isBroken={TIMING_FIELDS.some((field) => hasProblemUnder(problems, `${path}.${field}`))}
    >
      <div className={classes['numbers']}>
        <NumberOptions {...options} />
        {isRequest && (
          <Select
            label="Cookies"
            data={COOKIE_MODES.map((value) => ({ value, label: COOKIE_WORDS[value] }))}
            value={step.cookies}
            onChange={(cookies) => cookies !== null && set({ cookies })}
            {...at('cookies')}
            allowDeselect={false}
          />
        )}
      </div>
      <Switch
        label={isRequest ? 'Retry until assertions pass' : 'Retry until it passes'}
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
      {(step.type === 'http' || KIND_SHAPES[step.type].hasCertificate) && (
        <WarnDaysField
          value={step.warnDays}
          onChange={(warnDays) => set({ warnDays })}
          problems={problems}
          path={`${path}.tls.warnDays`}
        />
      )}
      <Group gap="lg">
        <SwitchOptions {...options} />
      </Group>
      <LearnMore fieldsAt="step.timeoutMs" about="timing and repetition" />
    </FoldedPart>
  );
}

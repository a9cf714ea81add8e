/** The form of a monitor of a kind other than HTTP, with a test panel next to it. */
import { SimpleGrid, Stack, Text } from '@mantine/core';
import type { NetworkKind } from '../../../../contracts/kinds';
import { KIND_FORMS } from '../../../../kinds/form';
import { KIND_SHAPES } from '../../../../kinds/shapes';
import { readText } from '../../../../schemas/loose';
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
import { KindInputs } from '../../../shared/definition/kind-inputs';
import { NumberOptions } from '../../../shared/definition/option-inputs';
import { OriginNote } from '../../../shared/definition/origin-note';
import { type Saved, useDefinition } from '../../../shared/definition/use-definition';
import { VariablesField } from '../../../shared/form/fields/variables-field';
import { WarnDaysField } from '../../../shared/form/fields/warn-days-field';
import { type FoldedSection, FoldedSections } from '../../../shared/form/fold/folded-sections';
import { listKindChanges } from './changes';
import {
  buildTargetUrl,
  KIND_OPTION_FIELDS,
  type KindDraft,
  kindDefinition,
  nameTarget,
} from './kind-draft';
import { MONITOR_OPTION_TEXTS } from './monitor-options';
import { QuorumField } from './quorum-field';
import { TestPanel } from './test-panel';
import { TestedForm } from './tested-form';

interface KindFormProps {
  readonly type: NetworkKind;
  readonly initial: KindDraft;
  /** null for a new monitor. */
  readonly saved: Saved | null;
}

export function KindForm({ type, initial, saved }: KindFormProps) {
  const kind = kindDefinition(type);
  const definition = useDefinition(kind, initial, saved);
  const { draft, change, problems, found, tested } = definition;
  const fields = {
    type,
    draft,
    set: (patch: Partial<KindDraft>) => change({ ...draft, ...patch }),
    problems,
  };
  return (
    <TestedForm
      definition={definition}
      target={<Target {...fields} />}
      test={<TestPanel kind={kind} draft={draft} problems={found} onTested={tested} />}
    >
      <KindFields {...fields} />
    </TestedForm>
  );
}

interface KindFieldsProps extends FieldsProps<KindDraft> {
  readonly type: NetworkKind;
}

const ADVANCED: readonly string[] = [
  ...Object.keys(KIND_OPTION_FIELDS),
  'quorum',
  'tls',
  'key',
  'variables',
];

function Target({ type, ...props }: KindFieldsProps) {
  const { draft, set, problems } = props;
  return (
    <Section title={KIND_SHAPES[type].words.label} fieldsAt={type}>
      <Stack gap="sm">
        <KindInputs
          type={type}
          value={draft.fields}
          onChange={(fields) => set({ fields })}
          problems={problems}
        />
        {KIND_FORMS[type].map(({ name }) => (
          <OriginNote key={name} field={name} />
        ))}
        <NameField {...props} otherwise={choosePlaceholder(draft)} />
        <ScheduleFields {...props} noRegions="All regions" />
      </Stack>
    </Section>
  );
}

function KindFields({ type, ...props }: KindFieldsProps) {
  const { draft, problems } = props;
  const advanced: FoldedSection = {
    name: 'advanced',
    title: 'Advanced',
    summary: sumUp(listKindChanges(draft), 'Timeout, retries, thresholds'),
    fields: ADVANCED,
    content: <KindAdvanced type={type} {...props} />,
  };
  return (
    <>
      <Section title="Alerts" fieldsAt="monitor.alerts">
        <AlertsInput {...props} type="monitor" url={buildTargetUrl(type, draft)} />
      </Section>
      <Section title="Group and tags" fieldsAt="monitor.group">
        <GroupAndTags {...props} noGroup="Domain of the host" />
      </Section>
      <FoldedSections sections={[advanced]} problems={problems} />
    </>
  );
}

/** Returns the name that the monitor gets if none is typed. Empty if the target is typed, but gives no name. */
function choosePlaceholder({ fields }: KindDraft): string {
  const isTyped = readText(fields['url']).trim() !== '' || readText(fields['host']).trim() !== '';
  return isTyped ? nameTarget({ fields }) : 'Taken from the target';
}

function KindAdvanced({ type, ...props }: KindFieldsProps) {
  const { draft, set, problems } = props;
  return (
    <Stack>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <NumberOptions
          fields={KIND_OPTION_FIELDS}
          texts={MONITOR_OPTION_TEXTS}
          value={draft}
          onChange={set}
          problems={problems}
        />
        <div>
          <QuorumField draft={draft} set={set} problems={problems} />
          <OriginNote field="quorum" />
        </div>
        {KIND_SHAPES[type].hasCertificate && (
          <div>
            <WarnDaysField
              value={draft.warnDays}
              onChange={(warnDays) => set({ warnDays })}
              problems={problems}
              path="tls.warnDays"
            />
            <OriginNote field="tls" />
          </div>
        )}
        <KeyField {...props} />
      </SimpleGrid>
      {'send' in KIND_SHAPES[type].fields && (
        <div>
          <Text fw={500} size="sm" mb={4}>
            Variables, used as {'{{name}}'} in what is sent
          </Text>
          <VariablesField
            value={draft.variables}
            onChange={(variables) => set({ variables })}
            problems={problems}
          />
          <OriginNote field="variables" />
        </div>
      )}
    </Stack>
  );
}

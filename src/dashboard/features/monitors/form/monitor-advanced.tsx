/** Monitor fields that most users never change. */
import { SimpleGrid, Stack, Text } from '@mantine/core';
import { monitorOptionFields } from '../../../../kinds/http/shape';
import { type FieldsProps, KeyField } from '../../../shared/definition/definition-fields';
import { NumberOptions, SwitchOptions } from '../../../shared/definition/option-inputs';
import { OriginNote } from '../../../shared/definition/origin-note';
import { RouteInputs } from '../../../shared/definition/route-inputs';
import { VariablesField } from '../../../shared/form/variables-field';
import { WarnDaysField } from '../../../shared/form/warn-days-field';
import { TRUST_WORDS } from '../../../shared/tls/tls-draft';
import { TlsField } from '../../../shared/tls/tls-field';
import { LearnMore } from '../../../shared/ui/learn-more';
import type { MonitorDraft } from './monitor-draft';
import { MONITOR_OPTION_TEXTS } from './monitor-options';
import { QuorumField } from './quorum-field';

export const ADVANCED_FIELDS: readonly string[] = [
  ...Object.keys(monitorOptionFields),
  'quorum',
  'tls',
  'proxy',
  'ipFamily',
  'httpVersion',
  'key',
  'variables',
];

export function MonitorAdvanced(props: FieldsProps<MonitorDraft>) {
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

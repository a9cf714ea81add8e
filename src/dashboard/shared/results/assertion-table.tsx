/** Every assertion of a check with the expected and the found value. */
import { Table, Text, VisuallyHidden } from '@mantine/core';
import { IconAlertTriangleFilled, IconCheck, IconX } from '@tabler/icons-react';
import { ScrollBox } from '../ui/scroll-box';
import { TableHead } from '../ui/table-head';
import { type AssertionOutcome, actualText, conditionText, valueText } from './measured';
import classes from './results.module.css';
import { RESULT_TEXT } from './words';

/** Narrow enough to fit next to a monitor's form. */
const MIN_WIDTH = 270;

interface AssertionTableProps {
  readonly assertions: readonly AssertionOutcome[];
}

export function AssertionTable({ assertions }: AssertionTableProps) {
  if (assertions.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No assertions were evaluated.
      </Text>
    );
  }
  return (
    <ScrollBox label={RESULT_TEXT.assertions} minWidth={MIN_WIDTH}>
      <Table fz="sm" verticalSpacing={4}>
        <TableHead columns={['Condition', 'Expected', 'Actual']} />
        <Table.Tbody>
          {keyed(assertions).map(({ key, outcome }) => (
            <Table.Tr key={key} title={outcome.message}>
              <Table.Td>
                <Verdict outcome={outcome} /> {conditionText(outcome)}
              </Table.Td>
              <Table.Td className={classes['value'] ?? ''}>{valueText(outcome.expected)}</Table.Td>
              <Table.Td className={classes['value'] ?? ''}>{actualText(outcome)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollBox>
  );
}

/** Gives each assertion a key, because assertions have no id and may be equal. */
function keyed(assertions: readonly AssertionOutcome[]) {
  const seen = new Map<string, number>();
  return assertions.map((outcome) => {
    const text = `${conditionText(outcome)} ${valueText(outcome.expected)}`;
    const count = (seen.get(text) ?? 0) + 1;
    seen.set(text, count);
    return { key: `${text} ${count}`, outcome };
  });
}

function Verdict({ outcome: { ok, severity } }: { readonly outcome: AssertionOutcome }) {
  const tone = ok ? 'held' : severity === 'degraded' ? 'soft' : 'failed';
  const Icon = { held: IconCheck, soft: IconAlertTriangleFilled, failed: IconX }[tone];
  const word = {
    held: RESULT_TEXT.held,
    soft: 'Failed (degraded only)',
    failed: RESULT_TEXT.failed,
  }[tone];
  return (
    <span className={`${classes['verdict'] ?? ''} ${classes[tone] ?? ''}`} title={word}>
      <Icon size={14} aria-hidden />
      <VisuallyHidden>{word}</VisuallyHidden>
    </span>
  );
}

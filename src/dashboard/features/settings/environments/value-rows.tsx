/** Names with values, one row each. */
import { Stack, Text, TextInput } from '@mantine/core';
import { RowList } from '../../../shared/form/row-list';
import { doubledNames, type HeaderRow, newHeaderRow } from '../../../shared/form/rows';

interface ValueRowsProps {
  readonly legend: string;
  readonly noun: string;
  /** Examples of a name and a value. */
  readonly example: readonly [name: string, value: string];
  readonly rows: readonly HeaderRow[];
  readonly onChange: (rows: readonly HeaderRow[]) => void;
  readonly fault: (name: string) => string | null;
}

export function ValueRows({ legend, noun, example, rows, onChange, fault }: ValueRowsProps) {
  const doubled = doubledNames(rows);
  const [nameExample, valueExample] = example;
  return (
    <Stack gap="xs" component="fieldset" p={0} m={0} style={{ border: 0, minWidth: 0 }}>
      <Text component="legend" size="sm" fw={600}>
        {legend}
      </Text>
      <RowList
        rows={rows}
        onChange={onChange}
        newRow={() => newHeaderRow()}
        noun={noun}
        layout="pair"
      >
        {(row, number, change) => (
          <>
            <TextInput
              aria-label={`Name of ${noun} ${number}`}
              placeholder={nameExample}
              value={row.name}
              onChange={({ currentTarget }) => change({ name: currentTarget.value })}
              error={doubled.includes(row.name.trim()) ? 'This name is used twice' : null}
            />
            <TextInput
              aria-label={`Value of ${noun} ${number}`}
              placeholder={valueExample}
              autoComplete="off"
              value={row.value}
              onChange={({ currentTarget }) => change({ value: currentTarget.value })}
              error={fault(row.name.trim())}
            />
          </>
        )}
      </RowList>
    </Stack>
  );
}

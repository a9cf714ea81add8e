/** Headers of a request, one row each. */
import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import type { OfferedName } from './complete-reference';
import classes from './form.module.css';
import { HeaderValue } from './header-value';
import { type Problems, problemAt } from './problems';
import { doubledNames, type HeaderRow, newHeaderRow } from './rows';

interface HeadersFieldProps {
  readonly value: readonly HeaderRow[];
  readonly onChange: (value: readonly HeaderRow[]) => void;
  readonly problems: Problems;
  /** Of the headers, like `headers` or `steps[1].headers`. */
  readonly path: string;
  /** For completion after `{{`. */
  readonly names?: readonly OfferedName[] | undefined;
}

export function HeadersField({ value, onChange, problems, path, names = [] }: HeadersFieldProps) {
  const doubled = doubledNames(value);
  const change = (index: number, patch: Partial<HeaderRow>): void =>
    onChange(value.map((row, at) => (at === index ? { ...row, ...patch } : row)));
  return (
    <Stack gap="xs">
      {value.map((row, index) => (
        <div key={row.rowId} className={`${classes['row']} ${classes['pair']}`}>
          <TextInput
            aria-label={`Name of header ${index + 1}`}
            placeholder="accept"
            value={row.name}
            onChange={({ currentTarget }) => change(index, { name: currentTarget.value })}
            error={doubled.includes(row.name) ? 'This name is used twice' : undefined}
          />
          <HeaderValue
            row={row}
            label={`Value of header ${index + 1}`}
            names={names}
            onValue={(typed) => change(index, { value: typed })}
            problems={problems}
            path={`${path}.${row.name}`}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={`Remove header ${index + 1}`}
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Text size="xs" c="var(--mantine-color-error)">
        {problemAt(problems, path)}
      </Text>
      <Group data-path={path}>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...value, newHeaderRow()])}
        >
          Add header
        </Button>
      </Group>
    </Stack>
  );
}

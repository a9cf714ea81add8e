/** Variables with a mark for secret ones, whose stored values are never shown. */
import { ActionIcon, Button, Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import classes from './form.module.css';
import { fieldAt, type Problems } from './problems';
import { doubledNames, newVariableRow, type VariableRow } from './rows';

const USED_TWICE = 'This name is used twice';

interface VariablesFieldProps {
  readonly value: readonly VariableRow[];
  readonly onChange: (value: readonly VariableRow[]) => void;
  readonly problems: Problems;
}

export function VariablesField({ value, onChange, problems }: VariablesFieldProps) {
  const doubled = doubledNames(value);
  const change = (index: number, patch: Partial<VariableRow>): void =>
    onChange(value.map((row, at) => (at === index ? { ...row, ...patch } : row)));
  return (
    <Stack gap="xs">
      {value.map((row, index) => (
        <div key={row.rowId} className={`${classes['row']} ${classes['variable']}`}>
          <TextInput
            aria-label={`Name of variable ${index + 1}`}
            placeholder="baseUrl"
            value={row.name}
            onChange={({ currentTarget }) => change(index, { name: currentTarget.value })}
            {...fieldAt(problems, `variables.${row.name}`)}
            {...(doubled.includes(row.name) ? { error: USED_TWICE } : {})}
          />
          <TextInput
            aria-label={`Value of variable ${index + 1}`}
            type={row.isSecret ? 'password' : 'text'}
            autoComplete="off"
            placeholder={row.isStored ? 'Stored. Type to replace' : 'value'}
            value={row.value}
            onChange={({ currentTarget }) => change(index, { value: currentTarget.value })}
            {...fieldAt(problems, `variables.${row.name}.value`)}
          />
          <Checkbox
            mt={8}
            label="secret"
            aria-label={`Variable ${index + 1} is secret`}
            checked={row.isSecret}
            onChange={({ currentTarget }) =>
              change(index, { isSecret: currentTarget.checked, isStored: false })
            }
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={`Remove variable ${index + 1}`}
            onClick={() => onChange(value.filter((_, at) => at !== index))}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Group>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => onChange([...value, newVariableRow()])}
        >
          Add variable
        </Button>
      </Group>
    </Stack>
  );
}

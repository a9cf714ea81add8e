/** The values that a step extracts for later steps, one row each. */
import { Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { KIND_SHAPES } from '../../../../kinds/shapes';
import { isGivenTwice } from '../../../shared/definition/row-problems';
import { fieldAt, type Problems, problemAt } from '../../../shared/form/problems/problems';
import { AddRow } from '../../../shared/form/rows/add-row';
import { RemoveButton } from '../../../shared/form/rows/remove-button';
import {
  type DraftExtraction,
  type ExtractionSource,
  isResolvable,
  listSources,
  type StepType,
  sourceKey,
} from '../draft/draft';
import { newExtraction } from '../draft/draft-changes';
import classes from './builder.module.css';
import { SOURCE_PLACEHOLDERS, SOURCE_WORDS } from './builder-strings';

interface ExtractFieldProps {
  readonly value: readonly DraftExtraction[];
  readonly onChange: (value: readonly DraftExtraction[]) => void;
  /** Called with the extractions that are left after the removal. */
  readonly onRemove: (value: readonly DraftExtraction[]) => void;
  readonly problems: Problems;
  /** Path of the extractions, like `steps[1].extract`. */
  readonly path: string;
  readonly type: StepType;
}

export function ExtractField(props: ExtractFieldProps) {
  const { value, onChange, onRemove, problems, path, type } = props;
  return (
    <Stack gap="xs" data-rows>
      {value.map((row, index) => (
        <ExtractRow
          key={row.rowId}
          row={row}
          number={index + 1}
          onChange={(next) => onChange(value.map((other) => (other === row ? next : other)))}
          onRemove={() => onRemove(value.filter((other) => other !== row))}
          problems={problems}
          path={`${path}.${row.variable.trim()}`}
          type={type}
        />
      ))}
      <Group>
        <AddRow rows={value} newRow={newExtraction} onChange={onChange}>
          Add extraction
        </AddRow>
      </Group>
    </Stack>
  );
}

interface ExtractRowProps {
  readonly row: DraftExtraction;
  readonly number: number;
  readonly onChange: (next: DraftExtraction) => void;
  readonly onRemove: () => void;
  readonly problems: Problems;
  readonly path: string;
  readonly type: StepType;
}

function ExtractRow({ row, number, onChange, onRemove, problems, path, type }: ExtractRowProps) {
  const key = sourceKey(row.from);
  const own = problemAt(problems, path);
  const isDoubled = problems.some((problem) => problem.path === path && isGivenTwice(problem));
  const isOfSource = row.from === 'jsonPath' && row.source !== '' && !isDoubled;
  return (
    <div className={classes['extract']} data-row-id={row.rowId}>
      <TextInput
        label="Variable"
        aria-label={`Variable of extraction ${number}`}
        placeholder="orderId"
        value={row.variable}
        onChange={({ currentTarget }) => onChange({ ...row, variable: currentTarget.value })}
        error={isOfSource ? undefined : own}
        data-path={path}
      />
      <Select
        label="Source"
        aria-label={`Source of extraction ${number}`}
        data={listSources(type).map((value) => ({ value, label: SOURCE_WORDS[value] }))}
        value={row.from}
        onChange={(from) => from !== null && onChange({ ...row, from, source: '', pattern: '' })}
        allowDeselect={false}
      />
      {key === null ? (
        <Text size="sm" c="dimmed" pt={30}>
          the number
        </Text>
      ) : (
        <Stack gap={4}>
          <TextInput
            label={SOURCE_WORDS[row.from]}
            aria-label={`${SOURCE_WORDS[row.from]} of extraction ${number}`}
            placeholder={choosePlaceholder(row.from, type)}
            value={row.source}
            onChange={({ currentTarget }) => onChange({ ...row, source: currentTarget.value })}
            {...fieldAt(problems, `${path}.${key}`)}
            {...(isOfSource ? { error: own } : {})}
            spellCheck={false}
          />
          {row.from === 'header' && (
            <TextInput
              label="Pattern"
              aria-label={`Pattern of extraction ${number}`}
              placeholder="All of it"
              value={row.pattern}
              onChange={({ currentTarget }) => onChange({ ...row, pattern: currentTarget.value })}
              {...fieldAt(problems, `${path}.pattern`)}
              spellCheck={false}
            />
          )}
        </Stack>
      )}
      <TextInput
        label="Default"
        aria-label={`Default of extraction ${number}`}
        placeholder="None"
        value={row.fallback}
        onChange={({ currentTarget }) => onChange({ ...row, fallback: currentTarget.value })}
      />
      <div className={classes['extractChoices']}>
        <Checkbox
          label="Secret"
          aria-label={`Extraction ${number} is secret`}
          checked={row.isSecret}
          onChange={({ currentTarget }) => onChange({ ...row, isSecret: currentTarget.checked })}
        />
        {type === 'http' && isResolvable(row.from) && (
          <Checkbox
            label="Whole URL"
            title="A relative URL is completed by the URL of the response"
            aria-label={`Extraction ${number} is a whole URL`}
            checked={row.isResolved}
            onChange={({ currentTarget }) =>
              onChange({ ...row, isResolved: currentTarget.checked })
            }
          />
        )}
      </div>
      <RemoveButton row={`extraction ${number}`} onRemove={onRemove} />
    </div>
  );
}

function choosePlaceholder(from: ExtractionSource, type: StepType): string {
  const path = type === 'http' ? undefined : KIND_SHAPES[type].words.examplePath;
  return from === 'jsonPath' && path !== undefined ? path : SOURCE_PLACEHOLDERS[from];
}

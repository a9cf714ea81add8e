/** The assertions on a response, one row each. */
import { Group, Select, Stack, Text, Textarea, TextInput, VisuallyHidden } from '@mantine/core';
import { JSON_PATH_MATCHES } from '../../../../contracts/definition';
import classes from '../form.module.css';
import { fieldAt, fieldWithPaths, type Problems, problemAt } from '../problems/problems';
import { AddRow } from '../rows/add-row';
import { RemoveButton } from '../rows/remove-button';
import {
  ASSERTION_TYPES,
  type AssertionDraft,
  newAssertion,
  TYPE_FACTS,
  TYPE_OPERATORS,
  takesValue,
  withType,
} from './assertion-draft';
import { ASSERTION_TYPE_WORDS, FACT_WORDS, MATCH_WORDS, OPERATOR_WORDS } from './strings';

interface AssertionsFieldProps {
  readonly value: readonly AssertionDraft[];
  readonly onChange: (value: readonly AssertionDraft[]) => void;
  readonly problems: Problems;
  /** The path of the list, like `assertions` or `steps[1].assertions`. */
  readonly path: string;
}

export function AssertionsField({ value, onChange, problems, path }: AssertionsFieldProps) {
  const replace = (index: number) => (next: AssertionDraft) =>
    onChange(value.map((draft, at) => (at === index ? next : draft)));
  return (
    <Stack gap="xs" data-rows>
      {value.length === 0 && (
        <Text size="sm" c="dimmed">
          No assertions: any status from 200 to 299 passes.
        </Text>
      )}
      {value.map((draft, index) => (
        <AssertionRow
          key={draft.rowId}
          draft={draft}
          number={index + 1}
          onChange={replace(index)}
          onRemove={() => onChange(value.filter((_, at) => at !== index))}
          problems={problems}
          path={`${path}[${index}]`}
        />
      ))}
      <Group>
        <AddRow
          rows={value}
          newRow={() => newAssertion(value.length === 0 ? 'status' : 'jsonPath')}
          onChange={onChange}
        >
          Add assertion
        </AddRow>
      </Group>
    </Stack>
  );
}

interface AssertionRowProps {
  readonly draft: AssertionDraft;
  readonly number: number;
  readonly onChange: (next: AssertionDraft) => void;
  readonly onRemove: () => void;
  readonly problems: Problems;
  readonly path: string;
}

function AssertionRow({ draft, number, onChange, onRemove, problems, path }: AssertionRowProps) {
  const { type } = draft;
  const label = (what: string): string => `${what} of assertion ${number}`;
  const parts = { draft, label, onChange, problems, path };
  const general = problemAt(problems, path);
  return (
    <div data-path={path} data-row-id={draft.rowId}>
      <div className={`${classes['row']} ${classes['assertion']}`}>
        <Select
          aria-label={label('Type')}
          data={ASSERTION_TYPES.map((value) => ({ value, label: ASSERTION_TYPE_WORDS[value] }))}
          value={type}
          onChange={(next) => next !== null && onChange(withType(draft, next))}
          rightSectionWidth={28}
          allowDeselect={false}
        />
        <Subject {...parts} />
        {type === 'jsonSchema' ? <SchemaValue {...parts} /> : <Comparison {...parts} />}
        <Select
          aria-label={label('On failure')}
          data={[
            { value: 'fail', label: 'on failure: down' },
            { value: 'degraded', label: 'on failure: degraded' },
          ]}
          value={draft.severity}
          onChange={(next) => onChange({ ...draft, severity: next ?? 'fail' })}
          className={classes[draft.severity === 'degraded' ? 'degraded' : 'failure'] ?? ''}
          rightSectionWidth={28}
          allowDeselect={false}
        />
        <RemoveButton row={`assertion ${number}`} onRemove={onRemove} />
      </div>
      {general !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)">
          {general}
        </Text>
      )}
    </div>
  );
}

interface SubjectProps extends Pick<AssertionRowProps, 'draft' | 'onChange' | 'problems' | 'path'> {
  readonly label: (what: string) => string;
}

function Comparison({ draft, label, onChange, problems, path }: SubjectProps) {
  const { type, operator } = draft;
  return (
    <>
      <Select
        aria-label={label('Comparison')}
        data={TYPE_OPERATORS[type].map((value) => ({ value, label: OPERATOR_WORDS[value] }))}
        value={operator}
        className={classes['operator'] ?? ''}
        rightSectionWidth={28}
        onChange={(next) => next !== null && onChange({ ...draft, operator: next })}
        {...fieldAt(problems, `${path}.operator`)}
        allowDeselect={false}
        searchable={TYPE_OPERATORS[type].length > 8}
      />
      {takesValue(operator) ? (
        <TextInput
          aria-label={label('Expected value')}
          placeholder={operator === 'in' || operator === 'notIn' ? '200, 204' : 'value'}
          value={draft.value}
          onChange={({ currentTarget }) => onChange({ ...draft, value: currentTarget.value })}
          {...fieldAt(problems, `${path}.value`)}
        />
      ) : (
        <VisuallyHidden>no value</VisuallyHidden>
      )}
    </>
  );
}

function SchemaValue({ draft, label, onChange, problems, path }: SubjectProps) {
  return (
    <Textarea
      aria-label={label('JSON schema')}
      placeholder='{"type": "object", "required": ["id"]}'
      autosize
      minRows={3}
      maxRows={16}
      spellCheck={false}
      className={classes['schema'] ?? ''}
      value={draft.value}
      onChange={({ currentTarget }) => onChange({ ...draft, value: currentTarget.value })}
      {...fieldWithPaths(problems, `${path}.value`)}
    />
  );
}

/** Edits the subject of the assertion: a path, a header or a fact of the connection. */
function Subject({ draft, label, onChange, problems, path }: SubjectProps) {
  if (draft.type === 'jsonPath')
    return (
      <Stack gap={4}>
        <TextInput
          aria-label={label('JSON path')}
          placeholder="$.data.status"
          value={draft.path}
          onChange={({ currentTarget }) => onChange({ ...draft, path: currentTarget.value })}
          {...fieldAt(problems, `${path}.path`)}
        />
        {/[*:?,]|\.\./.test(draft.path) && (
          <Select
            size="xs"
            aria-label={label('Which value')}
            data={JSON_PATH_MATCHES.map((value) => ({ value, label: MATCH_WORDS[value] }))}
            value={draft.match}
            onChange={(next) => onChange({ ...draft, match: next ?? 'first' })}
            allowDeselect={false}
          />
        )}
      </Stack>
    );
  if (draft.type === 'header')
    return (
      <TextInput
        aria-label={label('Header')}
        placeholder="content-type"
        value={draft.name}
        onChange={({ currentTarget }) => onChange({ ...draft, name: currentTarget.value })}
        {...fieldAt(problems, `${path}.name`)}
      />
    );
  const names = TYPE_FACTS[draft.type];
  if (names !== undefined)
    return (
      <Select
        aria-label={label('Fact')}
        data={names.map((value) => ({ value, label: FACT_WORDS[value] ?? value }))}
        value={draft.name}
        onChange={(next) => onChange({ ...draft, name: next ?? draft.name })}
        {...fieldAt(problems, `${path}.name`)}
        allowDeselect={false}
      />
    );
  return <span />;
}

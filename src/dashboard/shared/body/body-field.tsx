/** The body of a request. JSON and text have an editor. All other kinds have an input for each part. */
import { Input, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { CodeEditor } from '../editor/code-editor';
import type { OfferedName } from '../editor/complete-reference';
import { TemplateInput } from '../form/fields/template-input';
import { formatLabel } from '../form/problems/labels';
import { fieldAt, type Problems, problemAt, problemsUnder } from '../form/problems/problems';
import { RowList } from '../form/rows/row-list';
import { doubledNames, newHeaderRow } from '../form/rows/rows';
import {
  BODY_MODES,
  BODY_WORDS,
  type BodyDraft,
  bodyField,
  findJsonProblem,
  type GraphqlDraft,
  withMode,
} from './body-draft';
import { PartsField } from './parts-field';

export interface BodyFieldProps {
  /** The prefix of the paths of fields: empty, or like `steps[0].`. */
  readonly prefix?: string;
  readonly value: BodyDraft;
  readonly onChange: (value: BodyDraft) => void;
  readonly problems: Problems;
  readonly label: string;
  /** The names offered after `{{`. */
  readonly names?: readonly OfferedName[];
}

const MODES = BODY_MODES.map((value) => ({ value, label: BODY_WORDS[value] }));

export function BodyField(props: BodyFieldProps) {
  const { prefix = '', value, onChange, problems, label } = props;
  const path = prefix + bodyField(value.mode);
  const shown = problemOfBody(problems, path, value);
  return (
    <Stack gap="xs" data-path={path}>
      <SegmentedControl
        aria-label={`Type of ${label}`}
        data={MODES}
        value={value.mode}
        onChange={(mode) => onChange(withMode(value, mode))}
        style={{ alignSelf: 'flex-start', maxWidth: '100%', flexWrap: 'wrap' }}
        styles={{ label: { paddingInline: 7, fontSize: 'var(--mantine-font-size-xs)' } }}
      />
      <Content {...props} isInvalid={shown !== undefined} />
      {shown !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {shown}
        </Text>
      )}
    </Stack>
  );
}

interface ContentProps extends BodyFieldProps {
  readonly isInvalid: boolean;
}

function Content({ isInvalid, ...props }: ContentProps) {
  const { value, onChange, label, names } = props;
  switch (value.mode) {
    case 'none':
      return null;
    case 'json':
    case 'text':
      return (
        <CodeEditor
          label={label}
          language={value.mode}
          value={value.text}
          onChange={(text) => onChange({ ...value, text })}
          isInvalid={isInvalid}
          names={names}
        />
      );
    case 'form':
      return <FormRowsField {...props} />;
    case 'multipart':
      return <PartsField {...props} />;
    case 'graphql':
      return <GraphqlFields {...props} />;
  }
}

/**
 * Returns the problem of the body. A JSON or text body has only one input, so this input also shows problems inside the
 * body.
 */
function problemOfBody(problems: Problems, path: string, value: BodyDraft): string | undefined {
  const whole = problemAt(problems, path);
  if (value.mode !== 'json' && value.mode !== 'text') return whole;
  const broken = findJsonProblem(value)?.message;
  const [inside] = problemsUnder(problems, path);
  const within = inside === undefined ? undefined : `${formatLabel(inside.path)} ${inside.message}`;
  return broken ?? whole ?? within;
}

const NO_NAMES: readonly OfferedName[] = [];

/** The fields of a form body, one row each. */
function FormRowsField(props: BodyFieldProps) {
  const { prefix = '', value, onChange, problems, names = NO_NAMES } = props;
  const doubled = doubledNames(value.form);
  return (
    <RowList
      rows={value.form}
      onChange={(form) => onChange({ ...value, form })}
      newRow={newHeaderRow}
      noun="form field"
      layout="pair"
    >
      {(row, number, change) => (
        <>
          <TextInput
            aria-label={`Name of form field ${number}`}
            placeholder="user"
            value={row.name}
            onChange={({ currentTarget }) => change({ name: currentTarget.value })}
            error={doubled.includes(row.name.trim()) ? 'This name is used twice' : undefined}
          />
          <TemplateInput
            aria-label={`Value of form field ${number}`}
            placeholder="value"
            value={row.value}
            onValue={(text) => change({ value: text })}
            names={names}
            {...fieldAt(problems, `${prefix}form.${row.name.trim()}`)}
          />
        </>
      )}
    </RowList>
  );
}

/** A GraphQL request: the query, its variables as JSON, and the operation if the query has several. */
function GraphqlFields(props: BodyFieldProps) {
  const { prefix = '', value, onChange, problems, names } = props;
  const { query, variables, operationName } = value.graphql;
  const path = `${prefix}graphql`;
  const set = (patch: Partial<GraphqlDraft>): void =>
    onChange({ ...value, graphql: { ...value.graphql, ...patch } });
  const ofQuery = problemAt(problems, `${path}.query`);
  const ofVariables = findJsonProblem(value)?.message ?? problemAt(problems, `${path}.variables`);
  return (
    <>
      <Input.Wrapper label="Query" labelElement="div" error={ofQuery} data-path={`${path}.query`}>
        <CodeEditor
          label="GraphQL query"
          language="text"
          value={query}
          onChange={(text) => set({ query: text })}
          isInvalid={ofQuery !== undefined}
          names={names}
        />
      </Input.Wrapper>
      <Input.Wrapper
        label="Variables (JSON)"
        labelElement="div"
        error={ofVariables}
        data-path={`${path}.variables`}
      >
        <CodeEditor
          label="GraphQL variables"
          language="json"
          value={variables}
          onChange={(text) => set({ variables: text })}
          isInvalid={ofVariables !== undefined}
          names={names}
        />
      </Input.Wrapper>
      <TextInput
        label="Operation name"
        description="Needed if the query has several operations."
        value={operationName}
        onChange={({ currentTarget }) => set({ operationName: currentTarget.value })}
        {...fieldAt(problems, `${path}.operationName`)}
      />
    </>
  );
}

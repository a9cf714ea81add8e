/** The body of a request: JSON or text in an editor, the other kinds part by part. */
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { CodeEditor } from '../editor/code-editor';
import type { OfferedName } from '../editor/complete-reference';
import { formatLabel } from '../form/labels';
import { type Problems, problemAt, problemsUnder } from '../form/problems';
import { type BodyDraft, type BodyMode, bodyField, findJsonProblem, withMode } from './body-draft';
import { FormRowsField } from './form-rows-field';
import { GraphqlFields } from './graphql-fields';
import { PartsField } from './parts-field';

export interface BodyFieldProps {
  /** The prefix of the request's path: empty, or like `steps[0].`. */
  readonly prefix?: string;
  readonly value: BodyDraft;
  readonly onChange: (value: BodyDraft) => void;
  readonly problems: Problems;
  readonly label: string;
  /** The names offered after `{{`. */
  readonly names?: readonly OfferedName[];
}

const MODES: readonly { readonly value: BodyMode; readonly label: string }[] = [
  { value: 'none', label: 'No body' },
  { value: 'json', label: 'JSON' },
  { value: 'text', label: 'Text' },
  { value: 'form', label: 'Form' },
  { value: 'multipart', label: 'Multipart' },
  { value: 'graphql', label: 'GraphQL' },
];

export function BodyField(props: BodyFieldProps) {
  const { prefix = '', value, onChange, problems, label } = props;
  const path = prefix + bodyField(value.mode);
  const shown = problemOfBody(problems, path, value);
  return (
    <Stack gap="xs" data-path={path}>
      <SegmentedControl
        aria-label={`Type of ${label}`}
        data={[...MODES]}
        value={value.mode}
        onChange={(mode) => onChange(withMode(value, mode))}
        style={{ alignSelf: 'flex-start', maxWidth: '100%', flexWrap: 'wrap' }}
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

/** The problem of the whole body. JSON and text have one input, so it also shows problems inside the body. */
function problemOfBody(problems: Problems, path: string, value: BodyDraft): string | undefined {
  const whole = problemAt(problems, path);
  if (value.mode !== 'json' && value.mode !== 'text') return whole;
  const broken = findJsonProblem(value)?.message;
  const [inside] = problemsUnder(problems, path);
  const within = inside === undefined ? undefined : `${formatLabel(inside.path)} ${inside.message}`;
  return broken ?? whole ?? within;
}

/** The body of a request; what is not plain text is typed as JSON. */
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { CodeEditor } from './code-editor';
import type { OfferedName } from './complete-reference';
import { type BodyDraft, type BodyMode, problemOfBody } from './rows';

interface BodyFieldProps {
  /** Of the body, like `steps[1].body`. */
  readonly path: string;
  readonly value: BodyDraft;
  readonly onChange: (value: BodyDraft) => void;
  readonly problem: string | undefined;
  readonly label: string;
  /** For completion after `{{`. */
  readonly names?: readonly OfferedName[] | undefined;
}

const MODES: readonly { readonly value: BodyMode; readonly label: string }[] = [
  { value: 'none', label: 'No body' },
  { value: 'json', label: 'JSON' },
  { value: 'text', label: 'Text' },
  { value: 'form', label: 'Form' },
  { value: 'multipart', label: 'Multipart' },
  { value: 'graphql', label: 'GraphQL' },
];

/** What an empty editor of a kind begins with. */
const BEGINNINGS: Readonly<Partial<Record<BodyMode, string>>> = {
  form: '{\n  "user": "demo"\n}',
  multipart: '[\n  { "name": "file", "value": "text", "fileName": "note.txt" }\n]',
  graphql: '{\n  "query": "{ me { id } }"\n}',
};

export function BodyField(props: BodyFieldProps) {
  const { path, value, onChange, problem, label, names } = props;
  const shown = problemOfBody(value) ?? problem;
  return (
    <Stack gap="xs" data-path={path}>
      <SegmentedControl
        aria-label={`Type of ${label}`}
        data={[...MODES]}
        value={value.mode}
        onChange={(mode) => onChange({ mode, text: value.text || (BEGINNINGS[mode] ?? '') })}
        style={{ alignSelf: 'flex-start', maxWidth: '100%', flexWrap: 'wrap' }}
      />
      {value.mode !== 'none' && (
        <CodeEditor
          label={label}
          language={value.mode === 'text' ? 'text' : 'json'}
          value={value.text}
          onChange={(text) => onChange({ ...value, text })}
          isInvalid={shown !== undefined}
          names={names}
        />
      )}
      {shown !== undefined && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {shown}
        </Text>
      )}
    </Stack>
  );
}

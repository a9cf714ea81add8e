/** The body of a request: none, JSON or plain text. */
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
];

export function BodyField(props: BodyFieldProps) {
  const { path, value, onChange, problem, label, names } = props;
  const shown = problemOfBody(value) ?? problem;
  return (
    <Stack gap="xs" data-path={path}>
      <SegmentedControl
        aria-label={`Type of ${label}`}
        data={[...MODES]}
        value={value.mode}
        onChange={(mode) => onChange({ ...value, mode })}
        style={{ alignSelf: 'flex-start' }}
      />
      {value.mode !== 'none' && (
        <CodeEditor
          label={label}
          language={value.mode === 'json' ? 'json' : 'text'}
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

/** The same monitor as YAML. What is typed becomes the draft as soon as it is whole. */
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { parse, stringify } from 'yaml';
import { CodeEditor } from '../../../shared/form/code-editor';
import { afterLabel, labelOf } from '../../../shared/form/labels';
import type { Problems } from '../../../shared/form/problems';
import { problemOfBody } from '../../../shared/form/rows';
import { maskedRows, unmaskedRows } from '../../../shared/form/secret-header';
import { readMonitorYaml } from './check-draft';
import { type MonitorDraft, toDraft, toMonitorBody } from './monitor-draft';

interface MonitorYamlProps {
  readonly draft: MonitorDraft;
  readonly onChange: (next: MonitorDraft) => void;
  readonly onProblems: (problems: Problems) => void;
}

export function MonitorYaml({ draft, onChange, onProblems }: MonitorYamlProps) {
  const [shown] = useState(draft);
  const [text, setText] = useState(() => toYaml(draft));
  const [problems, setProblems] = useState<Problems>([]);
  const show = (found: Problems): void => {
    setProblems(found);
    onProblems(found);
  };
  const take = (typed: string): void => {
    setText(typed);
    const read = readYaml(typed);
    show(read.ok ? [] : read.problems);
    if (!read.ok) return;
    const next = toDraft(read.definition);
    onChange({ ...next, headers: unmaskedRows(next.headers, shown.headers) });
  };
  return (
    <Stack gap="xs">
      <CodeEditor
        label="Monitor as YAML"
        language="yaml"
        value={text}
        onChange={take}
        minLines={24}
        isInvalid={problems.length > 0}
      />
      {problems.map(({ path, message }) => (
        <Text key={`${path}${message}`} size="sm" c="var(--mantine-color-error)">
          <b>{labelOf(path)}</b>
          {afterLabel(message)}
        </Text>
      ))}
    </Stack>
  );
}

function toYaml(draft: MonitorDraft): string {
  const readable: MonitorDraft =
    problemOfBody(draft.body) === undefined
      ? draft
      : { ...draft, body: { mode: 'text', text: draft.body.text } };
  return stringify(toMonitorBody({ ...readable, headers: maskedRows(readable.headers) }));
}

function readYaml(text: string): ReturnType<typeof readMonitorYaml> {
  try {
    return readMonitorYaml(parse(text));
  } catch (error) {
    const message = error instanceof Error ? error.message : 'must be valid YAML';
    return { ok: false, problems: [{ path: 'YAML', message }] };
  }
}

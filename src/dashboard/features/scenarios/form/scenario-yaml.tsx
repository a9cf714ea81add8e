/** The same scenario as YAML. What is typed becomes the draft as soon as it is whole. */
import { Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CodeEditor } from '../../../shared/form/code-editor';
import { afterLabel, labelOf } from '../../../shared/form/labels';
import type { Problems } from '../../../shared/form/problems';
import type { Draft } from '../draft/draft';
import { readYaml, toYaml } from '../draft/yaml-text';

export interface ScenarioYamlProps {
  readonly draft: Draft;
  readonly onChange: (next: Draft) => void;
  readonly onProblems: (problems: Problems) => void;
}

export function ScenarioYaml({ draft, onChange, onProblems }: ScenarioYamlProps) {
  const [shown] = useState(draft);
  const [text, setText] = useState(() => toYaml(draft));
  const [problems, setProblems] = useState<Problems>([]);
  const take = (typed: string): void => {
    setText(typed);
    const read = readYaml(typed, shown);
    const found = read.ok ? [] : read.problems;
    setProblems(found);
    onProblems(found);
    if (read.ok) onChange(read.draft);
  };
  return (
    <Stack gap="xs">
      <CodeEditor
        label="Scenario as YAML"
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

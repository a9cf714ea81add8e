/** The definition as YAML. The typed text becomes the draft as soon as it is valid. */

import { Stack, Text } from '@mantine/core';
import { use, useState } from 'react';
import { CodeEditor } from '../editor/code-editor';
import { afterLabel, formatLabel } from '../form/labels';
import type { Problems } from '../form/problems';
import { loadWhenReached } from '../loading/load-when-reached';
import type { DefinitionKind } from './definition-kind';

type YamlText = typeof import('./yaml-text');

let loading: Promise<YamlText> | null = null;

/** The YAML library is a separate chunk; components suspend while it loads. */
function loadYamlText(): Promise<YamlText> {
  loading ??= loadWhenReached(() => import('./yaml-text'))();
  return loading;
}

interface DefinitionYamlProps<Draft> {
  readonly kind: DefinitionKind<Draft>;
  readonly draft: Draft;
  readonly onChange: (next: Draft) => void;
  readonly onProblems: (problems: Problems) => void;
}

export function DefinitionYaml<Draft>(props: DefinitionYamlProps<Draft>) {
  const { kind, draft, onChange, onProblems } = props;
  const { readYaml, toYaml } = use(loadYamlText());
  const [shown] = useState(draft);
  const [text, setText] = useState(() => toYaml(kind, draft));
  const [problems, setProblems] = useState<Problems>([]);
  const take = (typed: string): void => {
    setText(typed);
    const read = readYaml(kind, typed, shown);
    const found = read.ok ? [] : read.problems;
    setProblems(found);
    onProblems(found);
    if (read.ok) onChange(read.draft);
  };
  return (
    <Stack gap="xs">
      <CodeEditor
        label={`${kind.title} as YAML`}
        language="yaml"
        value={text}
        onChange={take}
        minLines={24}
        isInvalid={problems.length > 0}
      />
      {problems.map(({ path, message }) => (
        <Text key={`${path}${message}`} size="sm" c="var(--mantine-color-error)">
          <b>{formatLabel(path)}</b>
          {afterLabel(message)}
        </Text>
      ))}
    </Stack>
  );
}

/**
 * A text editor with colours for JSON and YAML, and completion of names after `{{`. Its implementation is loaded as a
 * separate chunk.
 */

import { Skeleton } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { loadWhenReached } from '../loading/load-when-reached';
import type { OfferedName } from './complete-reference';

const CodeMirrorEditor = lazy(
  loadWhenReached(async () => ({
    default: (await import('./code-mirror-editor')).CodeMirrorEditor,
  })),
);

export interface CodeEditorProps {
  readonly label: string;
  readonly language: 'json' | 'yaml' | 'text';
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isInvalid?: boolean;
  /** The names offered after `{{`. */
  readonly names?: readonly OfferedName[] | undefined;
  /** The minimum height in lines. */
  readonly minLines?: number;
}

export function CodeEditor(props: CodeEditorProps) {
  return (
    <Suspense fallback={<Skeleton h={120} />}>
      <CodeMirrorEditor {...props} />
    </Suspense>
  );
}

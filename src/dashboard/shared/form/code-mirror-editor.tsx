/** The editor behind CodeEditor, on CodeMirror 6. Loaded lazily. */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { json } from '@codemirror/lang-json';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  defaultHighlightStyle,
  HighlightStyle,
  syntaxHighlighting,
} from '@codemirror/language';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { readStyleNonce } from '../../style-nonce';
import type { CodeEditorProps } from './code-editor';
import classes from './form.module.css';

const LANGUAGES: Readonly<Record<CodeEditorProps['language'], () => Extension>> = {
  json,
  yaml,
  text: () => [],
};

const THEME = EditorView.theme({
  '&': { fontSize: '13px', backgroundColor: 'transparent' },
  '.cm-content': { fontFamily: 'var(--mantine-font-family-monospace)', padding: '10px 0' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
});

/** Colours of the default style are too dark on the dark page. */
const DARK_COLOURS = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) => ({ ...spec, color: 'var(--kw-maintenance)' })),
);

export function CodeMirrorEditor(props: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const scheme = useComputedColorScheme('light');
  const { language, label, minLines = 4, value, isInvalid } = props;

  useEffect(() => {
    if (host.current === null) return;
    const complete = (context: CompletionContext) => namesAt(context, latest.current.names ?? []);
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: latest.current.value,
        extensions: [
          EditorView.cspNonce.of(readStyleNonce()),
          history(),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap]),
          autocompletion({ override: [complete], icons: false }),
          LANGUAGES[language](),
          bracketMatching(),
          syntaxHighlighting(scheme === 'dark' ? DARK_COLOURS : defaultHighlightStyle),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': label }),
          EditorView.theme({ '.cm-content': { minHeight: `${minLines * 1.4}em` } }),
          THEME,
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [language, label, scheme, minLines]);

  useEffect(() => {
    const editor = view.current;
    if (editor === null || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  return <div ref={host} className={classes['code']} data-invalid={isInvalid || undefined} />;
}

/** After `{{`: the names that can stand there. */
function namesAt(context: CompletionContext, names: readonly string[]): CompletionResult | null {
  const before = context.matchBefore(/\{\{[\w:$.-]*/);
  if (before === null) return null;
  const options = names.map((label) => ({ label, apply: `${label}}}` }));
  return { from: before.from + 2, options, validFor: /^[\w:$.-]*$/ };
}

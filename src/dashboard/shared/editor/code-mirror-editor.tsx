/** The implementation of CodeEditor with CodeMirror 6. Loaded on first use. */
import {
  autocompletion,
  type Completion,
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
import classes from '../form/form.module.css';
import type { CodeEditorProps } from './code-editor';
import type { OfferedName } from './complete-reference';

const LANGUAGES: Readonly<Record<CodeEditorProps['language'], () => Extension>> = {
  json,
  yaml,
  text: () => [],
};

/** The default keys without Ctrl Enter, which the form uses to start a test. */
const OWN_KEYMAP = defaultKeymap.filter(({ key }) => key !== 'Mod-Enter');

const THEME = EditorView.theme({
  '&': { fontSize: '13px', backgroundColor: 'transparent' },
  '.cm-content': { fontFamily: 'var(--mantine-font-family-monospace)', padding: '10px 0' },
  '&.cm-focused': { outline: '2px solid var(--mantine-primary-color-filled)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
});

/** In the dark theme, all highlighted text has one colour, because the default colours are too dark. */
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
          keymap.of([...completionKeymap, ...OWN_KEYMAP, ...historyKeymap]),
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

/** Offers the names that are allowed after `{{`, and adds missing braces. */
function namesAt(
  context: CompletionContext,
  names: readonly OfferedName[],
): CompletionResult | null {
  const before = context.matchBefore(/\{\{\s*[\w:$.-]*/);
  if (before === null) return null;
  const typed = /[\w:$.-]*$/.exec(before.text)?.[0] ?? '';
  const options = names.map(({ label, detail }) => ({ label, detail, apply: putIn }));
  return { from: before.to - typed.length, options, validFor: /^[\w:$.-]*$/ };
}

function putIn(view: EditorView, { label }: Completion, from: number, to: number): void {
  const isClosed = view.state.sliceDoc(to, to + 2) === '}}';
  view.dispatch({
    changes: { from, to, insert: isClosed ? label : `${label}}}` },
    selection: { anchor: from + label.length + 2 },
    userEvent: 'input.complete',
  });
}

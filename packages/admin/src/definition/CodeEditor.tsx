import { autocompletion, closeBrackets, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState } from '@codemirror/state';
import { drawSelection, EditorView, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';

import { pageNonce } from '../drafts/page-nonce.ts';
import type { DefinitionMistake, DefinitionNames } from '../requests/definitions.ts';
import { completeDefinition } from './complete-definition.ts';

interface CodeEditorProps {
  kind: 'reports' | 'datasets';
  label: string;
  /** A changed value replaces the text. */
  value: string;
  mistakes: readonly DefinitionMistake[];
  names: DefinitionNames;
  isReadOnly?: boolean;
  onChange?: (text: string) => void;
}

const colors = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], class: 'code-key' },
  { tag: [tags.string, tags.content], class: 'code-text' },
  { tag: [tags.comment, tags.lineComment], class: 'code-comment' },
]);

/** An editor of YAML. Escape, then Tab, moves the focus out of it. */
export function CodeEditor(props: CodeEditorProps) {
  const { label, value, mistakes, isReadOnly = false } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const change = useEffectEvent((text: string) => props.onChange?.(text));
  const latest = useRef(props);
  useLayoutEffect(() => {
    latest.current = props;
  });

  useLayoutEffect(() => {
    const editor = new EditorView({
      parent: host.current!,
      doc: latest.current.value,
      extensions: [
        EditorView.cspNonce.of(pageNonce()),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
        EditorState.readOnly.of(isReadOnly),
        EditorView.lineWrapping,
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        yaml(),
        syntaxHighlighting(colors),
        lintGutter(),
        autocompletion({
          override: [(context) => completeDefinition(context, latest.current)],
        }),
        keymap.of([...completionKeymap, ...lintKeymap, ...defaultKeymap, ...historyKeymap]),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) change(update.state.doc.toString());
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, [label, isReadOnly]);

  // Before the next input: later, this value could replace text that was typed in the meantime.
  useLayoutEffect(() => {
    const editor = view.current!;
    if (editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: findChange(editor.state.doc.toString(), value) });
  }, [value]);

  useEffect(() => {
    const editor = view.current!;
    const { doc } = editor.state;
    const diagnostics = mistakes
      .filter(({ file }) => file === undefined)
      .map(({ line, column, message }) => {
        const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
        const from = Math.min(found.from + column - 1, found.to);
        const word = /^[^\s,\]}]*/.exec(doc.sliceString(from, found.to))![0].length;
        return { from, to: from + word, severity: 'error' as const, message };
      });
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [mistakes]);

  return <div ref={host} className="code-editor" dir="ltr" />;
}

/** The part of a text that differs in another one. The cursor and the scroll position stay outside it. */
function findChange(before: string, after: string) {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < most - from && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

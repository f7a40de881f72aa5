import { autocompletion } from '@codemirror/autocomplete'
import { html } from '@codemirror/lang-html'
import { closePercentBrace, jinjaLanguage } from '@codemirror/lang-jinja'
import { defaultHighlightStyle, HighlightStyle, LanguageSupport, syntaxHighlighting } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { EditorState, type Text } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { basicSetup } from 'codemirror'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { t } from '../../../kit/language/language.ts'
import { completeTemplate, type TemplateLanguage } from './template-language.ts'

/** An error of a text, at its line and column, which begin with 1. */
export type LineError = { line: number; column: number; text: string }

type Properties = {
  /** The initial text. */
  text: string
  /** Description for screen readers. */
  title: string
  language: TemplateLanguage
  errors: readonly LineError[]
  isReadOnly: boolean
  /** Is set to a function that writes a text at the cursor, in place of what is selected. */
  insert: { current: ((text: string) => void) | undefined }
  onText: (text: string) => void
}

/** Where the content of a template begins that extends another: a text before its blocks is not printed in its place. */
const CONTENT_BLOCK = /\{%-?\s*block\s+content\s*-?%\}\n?/

/** The colors of the default style, by those of the console, which are readable in light and dark. */
const COLORS: Readonly<Record<string, string>> = {
  '#708': 'var(--accent)',
  '#085': 'var(--accent)',
  '#167': 'var(--accent)',
  '#256': 'var(--accent)',
  '#30a': 'var(--accent)',
  '#a11': 'var(--good)',
  '#164': 'var(--good)',
  '#219': 'var(--warn)',
  '#00c': 'var(--warn)',
  '#00f': 'var(--warn)',
  '#e40': 'var(--warn)',
  '#940': 'var(--text-quiet)',
  '#404740': 'var(--text-quiet)',
  '#f00': 'var(--bad)',
}
const highlightStyle = HighlightStyle.define(
  defaultHighlightStyle.specs.map(({ color, ...spec }) => ({
    ...spec,
    ...(color ? { color: COLORS[color] ?? 'var(--text)' } : {}),
  })),
)

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '13px' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-2px' },
  '.cm-scroller': { fontFamily: 'var(--font-fixed)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { color: 'var(--text-quiet)', backgroundColor: 'var(--ground)', borderRight: '1px solid var(--line)' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '.cm-activeLineGutter': { color: 'var(--text)', backgroundColor: 'var(--hover)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--selected)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--selected)',
    outline: '1px solid var(--line)',
  },
  '.cm-selectionMatch': { backgroundColor: 'var(--hover)' },
  '.cm-tooltip, .cm-panels': { color: 'var(--text)', backgroundColor: 'var(--raised)', borderColor: 'var(--line)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--on-accent)', backgroundColor: 'var(--accent)' },
  '.cm-completionDetail': { color: 'inherit', fontStyle: 'normal' },
  '.cm-foldPlaceholder': { color: 'var(--text-quiet)', backgroundColor: 'var(--hover)', borderColor: 'var(--line)' },
  '.cm-textfield': { color: 'var(--text)', backgroundColor: 'var(--surface)', borderColor: 'var(--line-strong)' },
  '.cm-button': {
    color: 'var(--text)',
    backgroundImage: 'none',
    backgroundColor: 'var(--hover)',
    borderColor: 'var(--line-strong)',
  },
})

/** The texts of CodeMirror in the reader's language, by their English ones. */
const createPhrases = () => ({
  Find: t('templates.find'),
  Replace: t('templates.replace'),
  next: t('templates.find-next'),
  previous: t('templates.find-previous'),
  all: t('templates.find-all'),
  'match case': t('templates.match-case'),
  'by word': t('templates.by-word'),
  regexp: t('templates.regular-expression'),
  replace: t('templates.replace-one'),
  'replace all': t('templates.replace-all'),
  close: t('close'),
})

/**
 * An editor for the text of a template. It is in a shadow tree: CodeMirror then adds its styles as style sheet objects, which the content
 * policy of the console allows, and not as elements.
 */
export function CodeEditor({ text, title, language, errors, isReadOnly, insert, onText }: Properties) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const current = useRef({ language, onText })
  current.current = { language, onText }
  useLayoutEffect(() => {
    if (!host.current) return
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const template = new LanguageSupport(jinjaLanguage, [html().support, closePercentBrace])
    const state = EditorState.create({
      doc: text,
      extensions: [
        basicSetup,
        template,
        jinjaLanguage.data.of({ autocomplete: (context: never) => completeTemplate(current.current.language, context) }),
        autocompletion({ activateOnTypingDelay: 50 }),
        syntaxHighlighting(highlightStyle),
        lintGutter(),
        theme,
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': title }),
        EditorState.readOnly.of(isReadOnly),
        EditorState.phrases.of(createPhrases()),
        EditorView.updateListener.of(({ docChanged, state: { doc } }) => {
          if (docChanged) current.current.onText(doc.toString())
        }),
      ],
    })
    const editor = new EditorView({ state, parent: root, root })
    view.current = editor
    insert.current = (newText) => {
      const block = editor.state.selection.main.to === 0 ? CONTENT_BLOCK.exec(editor.state.sliceDoc(0)) : null
      if (block) editor.dispatch({ selection: { anchor: block.index + block[0].length } })
      editor.dispatch(editor.state.replaceSelection(newText), { scrollIntoView: true })
      editor.focus()
    }
    return () => editor.destroy()
  }, [])
  useEffect(() => {
    const editor = view.current
    editor?.dispatch(
      setDiagnostics(
        editor.state,
        errors.map((error) => toDiagnostic(editor.state.doc, error)),
      ),
    )
  }, [errors])
  return <div class="code-editor" data-scans="text" ref={host} />
}

/** An error at its place: to the end of the word there. The text may be shorter by now. */
function toDiagnostic(document: Text, { line, column, text: message }: LineError): Diagnostic {
  const { from: start, to: end, text } = document.line(Math.min(Math.max(line, 1), document.lines))
  const from = Math.min(start + column - 1, end)
  const length = /^(?:\{[{%]-?\s*)?\W*\w*/.exec(text.slice(from - start))?.[0].length ?? 1
  return { from, to: Math.min(from + Math.max(length, 1), end), severity: 'error', message }
}

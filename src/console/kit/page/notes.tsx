import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

/** Possible Markdown syntax: notes without any are shown as plain text, and the parser is not loaded. */
const MARKDOWN_SYNTAX = /[*_`#>[|~\\]|^ *(?:[-+=]|\d+[.)])/m

/** The notes of an object, rendered as Markdown. */
export function Notes({ text }: { text: string | null }) {
  const isMarkdown = text !== null && MARKDOWN_SYNTAX.test(text)
  const rendered = useSignal<{ text: string; nodes: ComponentChildren } | undefined>(undefined)
  useEffect(() => {
    if (!isMarkdown) return
    let isOver = false
    import('./markdown.ts').then(({ renderMarkdown }) => {
      if (!isOver) rendered.value = { text, nodes: renderMarkdown(text) }
    })
    return () => {
      isOver = true
    }
  }, [text])
  if (isMarkdown && rendered.value?.text === text) return <div class="notes-read">{rendered.value.nodes}</div>
  return <p class="notes">{text}</p>
}

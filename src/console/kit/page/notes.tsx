import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'

/** Possible Markdown syntax: a text without any is shown as it is, and the parser is not loaded. */
const MARKDOWN_SYNTAX = /[*_`#>[|~\\]|^ *(?:[-+=]|\d+[.)])/m

/** The notes of an object, rendered as Markdown. */
export function Notes({ text }: { text: string | null }) {
  const isMarked = text !== null && MARKDOWN_SYNTAX.test(text)
  const read = useSignal<{ text: string; nodes: ComponentChildren } | undefined>(undefined)
  useEffect(() => {
    if (!isMarked) return
    let isOver = false
    import('./markdown.ts').then(({ nodesOf }) => {
      if (!isOver) read.value = { text, nodes: nodesOf(text) }
    })
    return () => {
      isOver = true
    }
  }, [text])
  if (isMarked && read.value?.text === text) return <div class="notes-read">{read.value.nodes}</div>
  return <p class="notes">{text}</p>
}

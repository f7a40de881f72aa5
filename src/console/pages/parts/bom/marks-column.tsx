import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { label, t } from '../../../kit/language/language.ts'
import type { EditorProperties, SheetColumn } from '../../../kit/sheet/sheet.tsx'
import type { BomLine } from '../part-reading.ts'

/** The options of a BOM line. */
const MARKS = ['optional', 'consumable', 'inherited', 'allow_variants'] as const
type Mark = (typeof MARKS)[number]
type Marked = Pick<BomLine, Mark>

const letterOf = (mark: Mark) => t(`parts.mark.${mark}`)
const markOf = (letter: string) => MARKS.find((mark) => letterOf(mark).toLowerCase() === letter.toLowerCase())

/** A letter for each option, also as a click target while it is not set; screen readers read the names of the ones that are set. */
const Letters = ({ line }: { line: Marked }) => (
  <span class="marks">
    {MARKS.map((mark) => (
      <span key={mark} class={line[mark] ? 'set' : ''} data-start={mark} title={label(mark)} aria-hidden="true">
        {letterOf(mark)}
      </span>
    ))}
    <span class="unseen">
      {MARKS.filter((mark) => line[mark])
        .map(label)
        .join(', ') || t('parts.no-marks')}
    </span>
  </span>
)

/** Toggles an option immediately when its letter is pressed. */
function Turn({ line, mark, save }: { line: BomLine; mark: Mark; save: (body: Partial<Marked>) => void }) {
  const turned = { [mark]: !line[mark] }
  useEffect(() => save(turned), [])
  return <Letters line={{ ...line, ...turned }} />
}

/** All options with their names: arrows move, the space bar or the letter toggles one, and leaving saves. */
function Choice({ row, start = '', save, cancel }: EditorProperties<BomLine>) {
  const given = useSignal<Partial<Marked>>({})
  const ref = useRef<HTMLFieldSetElement>(null)
  const isSet = (mark: Mark) => given.value[mark] ?? row[mark]
  const turn = (mark: Mark | undefined) => {
    if (mark) given.value = { ...given.value, [mark]: !isSet(mark) }
  }
  useEffect(() => {
    for (const letter of start) turn(markOf(letter))
  }, [])
  const leave = () => {
    const changed = MARKS.filter((mark) => isSet(mark) !== row[mark])
    if (changed.length > 0) save(Object.fromEntries(changed.map((mark) => [mark, isSet(mark)])))
    else cancel()
  }
  const go = (step: 1 | -1) => {
    const boxes = [...(ref.current?.querySelectorAll('input') ?? [])]
    boxes[boxes.indexOf(document.activeElement as HTMLInputElement) + step]?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const mark = markOf(event.key)
    if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) leave()
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') go(event.key === 'ArrowDown' ? 1 : -1)
    else if (mark) turn(mark)
    else return
    event.preventDefault()
  }
  return (
    <fieldset
      class="marks-choice"
      ref={ref}
      onKeyDown={onKeyDown}
      onFocusOut={(event) => {
        if (!ref.current?.contains(event.relatedTarget as Node | null)) leave()
      }}
    >
      <legend class="unseen">{t('parts.marks')}</legend>
      {MARKS.map((mark) => (
        <label key={mark}>
          <input type="checkbox" checked={isSet(mark)} onChange={() => turn(mark)} />
          <kbd>{letterOf(mark)}</kbd> {label(mark)}
        </label>
      ))}
    </fieldset>
  )
}

/**
 * The options of a BOM line in one column. Pressing a letter on screen toggles it; Enter shows all with their names, and typing a letter
 * does the same with its option toggled.
 */
export const marksColumn: SheetColumn<BomLine> = {
  name: 'marks',
  title: () => t('parts.marks'),
  width: '7rem',
  isWide: true,
  cell: (line) => <Letters line={line} />,
  edit: (properties): ComponentChildren => {
    const pressed = MARKS.find((mark) => mark === properties.start)
    return pressed ? <Turn line={properties.row} mark={pressed} save={properties.save} /> : <Choice {...properties} />
  },
}

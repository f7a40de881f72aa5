import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { EditorProperties, GridColumn } from '../../../kit/grid/grid.tsx'
import { label, t } from '../../../kit/language/language.ts'
import type { BomLine } from '../part-requests.ts'

/** The options of a BOM line. */
const FLAGS = ['optional', 'consumable', 'inherited', 'allow_variants'] as const
type Flag = (typeof FLAGS)[number]
type LineFlags = Pick<BomLine, Flag>

const getFlagLetter = (flag: Flag) => t(`parts.flag.${flag}`)
const findFlag = (letter: string) => FLAGS.find((flag) => getFlagLetter(flag).toLowerCase() === letter.toLowerCase())

/** A letter for each option, also as a click target while it is not set; screen readers read the names of the ones that are set. */
const FlagLetters = ({ line }: { line: LineFlags }) => (
  <span class="flags">
    {FLAGS.map((flag) => (
      <span key={flag} class={line[flag] ? 'set' : ''} data-start={flag} title={label(flag)} aria-hidden="true">
        {getFlagLetter(flag)}
      </span>
    ))}
    <span class="visually-hidden">
      {FLAGS.filter((flag) => line[flag])
        .map(label)
        .join(', ') || t('parts.no-flags')}
    </span>
  </span>
)

/** The meaning of the letters, below the lines. Screen readers hear the names in each line. */
export const FlagsLegend = () => (
  <p class="quiet-text flags-legend wide-only" aria-hidden="true">
    {FLAGS.map((flag) => `${getFlagLetter(flag)} = ${label(flag)}`).join(' · ')}
  </p>
)

/** Toggles an option immediately when its letter is pressed. */
function ToggleFlag({ line, flag, save }: { line: BomLine; flag: Flag; save: (body: Partial<LineFlags>) => void }) {
  const toggled = { [flag]: !line[flag] }
  useEffect(() => save(toggled), [])
  return <FlagLetters line={{ ...line, ...toggled }} />
}

/** All options with their names: arrows move, the space bar or the letter toggles one, and leaving saves. */
function FlagsEditor({ row, start = '', save, cancel }: EditorProperties<BomLine>) {
  const draft = useSignal<Partial<LineFlags>>({})
  const ref = useRef<HTMLFieldSetElement>(null)
  const isSet = (flag: Flag) => draft.value[flag] ?? row[flag]
  const toggle = (flag: Flag | undefined) => {
    if (flag) draft.value = { ...draft.value, [flag]: !isSet(flag) }
  }
  useEffect(() => {
    for (const letter of start) toggle(findFlag(letter))
  }, [])
  const saveAndClose = () => {
    const changed = FLAGS.filter((flag) => isSet(flag) !== row[flag])
    if (changed.length > 0) save(Object.fromEntries(changed.map((flag) => [flag, isSet(flag)])))
    else cancel()
  }
  const moveFocus = (step: 1 | -1) => {
    const boxes = [...(ref.current?.querySelectorAll('input') ?? [])]
    boxes[boxes.indexOf(document.activeElement as HTMLInputElement) + step]?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const flag = findFlag(event.key)
    if (event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) saveAndClose()
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') moveFocus(event.key === 'ArrowDown' ? 1 : -1)
    else if (flag) toggle(flag)
    else return
    event.preventDefault()
  }
  return (
    <fieldset
      class="flags-choice"
      ref={ref}
      onKeyDown={onKeyDown}
      onFocusOut={(event) => {
        if (!ref.current?.contains(event.relatedTarget as Node | null)) saveAndClose()
      }}
    >
      <legend class="visually-hidden">{t('parts.flags')}</legend>
      {FLAGS.map((flag) => (
        <label key={flag}>
          <input type="checkbox" checked={isSet(flag)} onChange={() => toggle(flag)} />
          <kbd>{getFlagLetter(flag)}</kbd> {label(flag)}
        </label>
      ))}
    </fieldset>
  )
}

/**
 * The options of a BOM line in one column. Pressing a letter on screen toggles it; Enter shows all with their names, and typing a letter
 * does the same with its option toggled.
 */
export const flagsColumn: GridColumn<BomLine> = {
  name: 'marks',
  title: () => t('parts.flags'),
  width: '7rem',
  isWide: true,
  cell: (line) => <FlagLetters line={line} />,
  edit: (properties): ComponentChildren => {
    const pressedFlag = FLAGS.find((flag) => flag === properties.start)
    return pressedFlag ? (
      <ToggleFlag line={properties.row} flag={pressedFlag} save={properties.save} />
    ) : (
      <FlagsEditor {...properties} />
    )
  },
}

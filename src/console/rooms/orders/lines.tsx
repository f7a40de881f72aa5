import { type Signal, useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type Answer, post, Refusal } from '../../kit/api.ts'
import { Chooser, type Source } from '../../kit/chooser.tsx'
import { isDoubtful } from '../../kit/doubt.tsx'
import type { ResourceFacts } from '../../kit/facts.ts'
import type { Values } from '../../kit/form.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { number, t } from '../../kit/language.ts'
import { Panel } from '../../kit/page.tsx'
import { may } from '../../kit/session.ts'
import { Sheet, type SheetColumn, type SheetRow } from '../../kit/sheet.tsx'
import { warn } from '../../kit/toast.tsx'
import { useLineDeletion } from './line-deletion.tsx'

/** What an account may do with the lines of an order. */
export type Rights = { add: boolean; change: boolean; delete: boolean }

/** @param role that of the kind of order: `purchase_order` */
export const rightsIn = (role: string): Rights => ({
  add: may('add', role),
  change: may('change', role),
  delete: may('delete', role),
})

/** A new line is of one: so much of it is nothing strange. */
const OF_A_LINE = 100

/** Asks about a quantity of a line that is hardly meant. @param shown how quantities of the line are shown */
export function doubtOf(
  line: { quantity: number },
  given: unknown,
  shown: (amount: string | number) => string,
): string | undefined {
  return isDoubtful(given, Math.max(line.quantity, OF_A_LINE))
    ? t('doubt.quantity', { amount: shown(String(given)), before: shown(line.quantity) })
    : undefined
}

type Added = {
  /** The cell of the new line that is typed in next. */
  begin: Signal<{ pk: number; name: string } | undefined>
  /** Makes a line; what is refused is said. */
  add: (body: Values) => Promise<void>
}

/** Adds lines, one at a time. @param cell the column in which a new line is typed in at once */
export function useAddedLine(path: string, cell: string, onChanged: () => void): Added {
  const begin: Added['begin'] = useSignal(undefined)
  const isBusy = useRef(false)
  async function add(body: Values): Promise<void> {
    if (isBusy.current) return
    isBusy.current = true
    try {
      const made = await post<{ pk: number }>(path, body)
      begin.value = { pk: made.body.pk, name: cell }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      warn(error.status === 0 ? t('unreachable') : Object.values(error.fields).flat().join(' ') || error.message)
    } finally {
      isBusy.current = false
    }
    onChanged()
  }
  return { begin, add }
}

/** How the next line of an order is found. */
export type NextLine<Choice> = {
  from: Source<Choice>
  title: string
  hint: string
  /** Makes the line of what was chosen. */
  add: (chosen: Choice) => Promise<void>
}

type Properties<Row, Choice> = {
  facts: ResourceFacts
  rows: readonly Row[]
  /** How many lines there are, of which the first are here. */
  total: number
  columns: readonly SheetColumn<Row>[]
  rights: Rights
  nameOf: (row: Row) => string | undefined
  begin: Added['begin']
  /** Undefined where none can be added. */
  next: NextLine<Choice> | undefined
  onRow: (answer: Answer<Row>) => void
  onChanged: () => void
}

/** The lines of an order, as a sheet; below them the next one is found by some letters. */
export function Lines<Row extends SheetRow, Choice extends { pk: number }>(properties: Properties<Row, Choice>) {
  const { facts, rows, total, columns, rights, nameOf, begin, next, onRow, onChanged } = properties
  const added = useSignal(0)
  const adder = useRef<HTMLDivElement>(null)
  useCommands(
    () => (next ? [{ keys: 'a', label: () => next.title, run: () => adder.current?.querySelector('input')?.focus() }] : []),
    [next === undefined, next?.title],
  )
  const deletion = useLineDeletion<Row>({ path: facts.path, nameOf, onChanged })
  return (
    <Panel title={t('orders.lines')} class="flush">
      {rows.length > 0 && (
        <Sheet
          facts={facts}
          title={t('orders.lines')}
          rows={rows}
          columns={columns}
          mayChange={rights.change}
          onRow={onRow}
          begin={begin}
          end={rights.delete ? deletion.bin : undefined}
        />
      )}
      {rows.length < total && <p class="quiet-text pad">{t('orders.more-lines', { count: number(total - rows.length) })}</p>}
      {rows.length === 0 && !next && <p class="quiet-text pad">{t('orders.no-lines')}</p>}
      {next && (
        <div class="add-line" ref={adder}>
          <Icon name="plus" />
          <Chooser
            key={added.value}
            from={next.from}
            value={null}
            onPick={async (chosen) => {
              if (!chosen) return
              await next.add(chosen)
              added.value++
            }}
            placeholder={next.hint}
            attributes={{ 'aria-label': next.title }}
          />
        </div>
      )}
      {deletion.question}
    </Panel>
  )
}

import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Chooser, type Otherwise, type Source } from '../../kit/form/chooser.tsx'
import { decimalSign, number, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { Panel } from '../../kit/page/page.tsx'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { may } from '../../kit/service/session.ts'
import { AddLine } from '../../kit/sheet/add-line.tsx'
import { type Begin, Rows } from '../../kit/sheet/rows.tsx'
import type { SheetColumn, SheetRow } from '../../kit/sheet/sheet.tsx'
import { isUnusual } from '../../kit/values/unusual-quantity.ts'
import { PastedColumns } from './pasted-columns.tsx'
import { type Pasted, type PastedTable, pastedTable, rowsOf } from './pasted-table.ts'

/** What an account may do with the lines of an order. */
export type Rights = { add: boolean; change: boolean; delete: boolean }

/** @param role that of the kind of order: `purchase_order` */
export const rightsIn = (role: string): Rights => ({
  add: may('add', role),
  change: may('change', role),
  delete: may('delete', role),
})

/** Those of an order that is open no more, unless its setting lets it be changed. */
export const NO_RIGHTS: Rights = { add: false, change: false, delete: false }

/** The lines of an order, as its page gives them to the table of its kind. */
export type LinesProperties<Order, Line> = {
  order: Order
  currency: string
  rows: readonly Line[]
  /** The number of all lines, of which `rows` has the first. */
  total: number
  rights: Rights
  onChanged: () => void
}

/** A new line is of one, which says nothing of how much is meant. */
const OF_A_LINE = 100

/** Asks about a quantity of a line that is hardly meant. @param shown how quantities of the line are shown */
export function unusualOf(
  line: { quantity: number },
  given: unknown,
  shown: (amount: string | number) => string,
): string | undefined {
  return isUnusual(given, line.quantity > 1 ? line.quantity : OF_A_LINE, line.quantity > 1)
    ? t('doubt.quantity', { amount: shown(String(given)), before: shown(line.quantity) })
    : undefined
}

/** How the next line of an order is found. */
export type NextLine<Choice> = {
  from: Source<Choice>
  title: string
  hint: string
  /** Makes the line of what was chosen. */
  add: (chosen: Choice) => Promise<unknown>
  /** Makes lines of what was pasted as a piece of a table. */
  paste?: (rows: readonly Pasted[]) => Promise<unknown>
  otherwise?: Otherwise<Choice>
}

type Properties<Row, Choice> = {
  facts: ResourceMetadata
  rows: readonly Row[]
  /** How many lines there are, of which the first are here. */
  total: number
  columns: readonly SheetColumn<Row>[]
  rights: Rights
  nameOf: (row: Row) => string | undefined
  /** What goes with a line that is deleted. */
  loses?: (row: Row) => string | undefined
  begin: Begin
  /** Undefined where none can be added. */
  next: NextLine<Choice> | undefined
  /** What is needed before one can be. */
  before?: string | false
  onChanged: () => void
}

/** What a line is called that is deleted. */
export const named = (name: string | undefined, { pk }: SheetRow): string => t('orders.line', { line: name || String(pk) })

/** The lines of an order, as a sheet; below them the next one is found by some letters. */
export function Lines<Row extends SheetRow, Choice extends { pk: number }>(properties: Properties<Row, Choice>) {
  const { rows, total, nameOf, next, before, ...shown } = properties
  const added = useSignal(0)
  const adder = useRef<HTMLDivElement>(null)
  const isPasting = useRef(false)
  /** Rows that were pasted, of which somebody has to say which column is what. */
  const unsure = useSignal<PastedTable | undefined>(undefined)
  const paste = (pasted: readonly Pasted[]) => {
    isPasting.current = true
    next?.paste?.(pasted).finally(() => {
      isPasting.current = false
    })
  }
  useCommands(
    () => (next ? [{ keys: 'a', label: () => next.title, run: () => adder.current?.querySelector('input')?.focus() }] : []),
    [next === undefined, next?.title],
  )
  return (
    <Panel title={t('orders.lines')} class="flush">
      <Rows
        {...shown}
        title={t('orders.lines')}
        rows={rows}
        nameOf={(row) => named(nameOf(row), row)}
        deleted={t('orders.line-deleted')}
        none={next || before ? undefined : t('orders.no-lines')}
      />
      {rows.length < total && <p class="quiet-text pad">{t('orders.more-lines', { count: number(total - rows.length) })}</p>}
      {before && <p class="quiet-text pad">{before}</p>}
      {next && (
        <AddLine
          place={adder}
          onPaste={(text) => {
            const table = next.paste && pastedTable(text)
            if (!table || isPasting.current) return table !== undefined
            if (table.quantity === undefined || table.names.length === 0) unsure.value = table
            else paste(rowsOf(table, table.names, table.quantity, decimalSign()))
            return true
          }}
        >
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
            otherwise={next.otherwise}
            attributes={{ 'aria-label': next.title }}
          />
        </AddLine>
      )}
      {unsure.value && (
        <PastedColumns
          table={unsure.value}
          onRows={(pasted) => {
            unsure.value = undefined
            paste(pasted)
          }}
          onClose={() => {
            unsure.value = undefined
          }}
        />
      )}
    </Panel>
  )
}

import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Chooser, type Fallback, type Source } from '../../kit/form/chooser.tsx'
import { AddLine } from '../../kit/grid/add-line.tsx'
import type { SheetColumn, SheetRow } from '../../kit/grid/grid.tsx'
import { type EditRequest, Rows } from '../../kit/grid/rows.tsx'
import { decimalSign, number, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { Panel } from '../../kit/page/page.tsx'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { may } from '../../kit/service/session.ts'
import { isUnusual } from '../../kit/values/unusual-quantity.ts'
import { PastedColumns } from './pasted-columns.tsx'
import { type Pasted, type PastedTable, pastedTable, rowsOf } from './pasted-table.ts'

/** Permissions of an account for the lines of an order. */
export type Rights = { add: boolean; change: boolean; delete: boolean }

/** @param role the role of the kind of order: `purchase_order` */
export const rightsIn = (role: string): Rights => ({
  add: may('add', role),
  change: may('change', role),
  delete: may('delete', role),
})

/** Permissions for a closed order, unless its setting allows changes. */
export const NO_RIGHTS: Rights = { add: false, change: false, delete: false }

/** Properties that the page of an order passes to the table of its lines. */
export type LinesProperties<Order, Line> = {
  order: Order
  currency: string
  rows: readonly Line[]
  /** The number of all lines; `rows` has the first ones. */
  total: number
  rights: Rights
  onChanged: () => void
}

/** Assumed quantity of a new line, whose quantity of 1 says nothing about the intended one. */
const OF_A_LINE = 100

/** Question about an unusual quantity of a line. @param shown formats quantities of the line */
export function unusualOf(
  line: { quantity: number },
  newValue: unknown,
  shown: (amount: string | number) => string,
): string | undefined {
  return isUnusual(newValue, line.quantity > 1 ? line.quantity : OF_A_LINE, line.quantity > 1)
    ? t('doubt.quantity', { amount: shown(String(newValue)), before: shown(line.quantity) })
    : undefined
}

/** Search for the next line of an order. */
export type NextLine<Choice> = {
  from: Source<Choice>
  title: string
  hint: string
  /** Creates the line for the selected object. */
  add: (chosen: Choice) => Promise<unknown>
  /** Creates lines from a pasted table. */
  paste?: (rows: readonly Pasted[]) => Promise<unknown>
  fallback?: Fallback<Choice>
}

type Properties<Row, Choice> = {
  metadata: ResourceMetadata
  rows: readonly Row[]
  /** The number of all lines; the first ones are loaded. */
  total: number
  columns: readonly SheetColumn<Row>[]
  rights: Rights
  nameOf: (row: Row) => string | undefined
  /** Text about other data that is deleted with a line. */
  loses?: (row: Row) => string | undefined
  editRequest: EditRequest
  /** Undefined if none can be added. */
  next: NextLine<Choice> | undefined
  /** Requirement before one can be added. */
  before?: string | false
  onChanged: () => void
}

/** Name of a line for its deletion. */
export const lineLabel = (name: string | undefined, { pk }: SheetRow): string => t('orders.line', { line: name || String(pk) })

/** The lines of an order in a sheet; a search field below them adds the next one. */
export function Lines<Row extends SheetRow, Choice extends { pk: number }>(properties: Properties<Row, Choice>) {
  const { rows, total, nameOf, next, before, ...shown } = properties
  const added = useSignal(0)
  const adder = useRef<HTMLDivElement>(null)
  const isPasting = useRef(false)
  /** Pasted rows whose columns the user has to identify. */
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
        nameOf={(row) => lineLabel(nameOf(row), row)}
        deleted={t('orders.line-deleted')}
        emptyText={next || before ? undefined : t('orders.no-lines')}
      />
      {rows.length < total && <p class="quiet-text pad">{t('orders.more-lines', { count: number(total - rows.length) })}</p>}
      {before && <p class="quiet-text pad">{before}</p>}
      {next && (
        <AddLine
          containerRef={adder}
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
            fallback={next.fallback}
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

import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Combobox, type Fallback, type Source } from '../../kit/form/combobox.tsx'
import { AddLine } from '../../kit/grid/add-line.tsx'
import type { GridColumn, GridRow } from '../../kit/grid/grid.tsx'
import { type EditRequest, Rows } from '../../kit/grid/rows.tsx'
import { formatNumber, getDecimalSeparator, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { Panel } from '../../kit/page/page.tsx'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { hasPermission } from '../../kit/service/session.ts'
import { isUnusual } from '../../kit/values/unusual-quantity.ts'
import { PastedColumns } from './pasted-columns.tsx'
import { getPastedRows, type PastedRow, type PastedTable, parsePastedTable } from './pasted-table.ts'

/** Permissions of an account for the lines of an order. */
export type Rights = { add: boolean; change: boolean; delete: boolean }

/** @param role the role of the kind of order: `purchase_order` */
export const getRights = (role: string): Rights => ({
  add: hasPermission('add', role),
  change: hasPermission('change', role),
  delete: hasPermission('delete', role),
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
const ASSUMED_LINE_QUANTITY = 100

/** A question to confirm an unusual quantity of a line; undefined for a usual one. @param formatAmount formats quantities of the line */
export function getQuantityWarning(
  line: { quantity: number },
  newValue: unknown,
  formatAmount: (amount: string | number) => string,
): string | undefined {
  return isUnusual(newValue, line.quantity > 1 ? line.quantity : ASSUMED_LINE_QUANTITY, line.quantity > 1)
    ? t('confirm.quantity', { amount: formatAmount(String(newValue)), before: formatAmount(line.quantity) })
    : undefined
}

/** Search for the next line of an order. */
export type NextLine<Choice> = {
  source: Source<Choice>
  title: string
  placeholder: string
  /** Creates the line for the selected object. */
  add: (selected: Choice) => Promise<unknown>
  /** Creates lines from a pasted table. */
  paste?: (rows: readonly PastedRow[]) => Promise<unknown>
  fallback?: Fallback<Choice>
}

type Properties<Row, Choice> = {
  metadata: ResourceMetadata
  rows: readonly Row[]
  /** The number of all lines; the first ones are loaded. */
  total: number
  columns: readonly GridColumn<Row>[]
  rights: Rights
  nameOf: (row: Row) => string | undefined
  /** Text about other data that is deleted with a line. */
  getLossWarning?: (row: Row) => string | undefined
  editRequest: EditRequest
  /** Undefined if no line can be added. */
  next: NextLine<Choice> | undefined
  /** The requirement to meet before a line can be added. */
  requirement?: string | false
  onChanged: () => void
}

/** Name of a line for its deletion. */
export const lineLabel = (name: string | undefined, { pk }: GridRow): string => t('orders.line', { line: name || String(pk) })

/** The lines of an order in a sheet; a search field below them adds the next one. */
export function Lines<Row extends GridRow, Choice extends { pk: number }>(properties: Properties<Row, Choice>) {
  const { rows, total, nameOf, next, requirement, ...rowsProperties } = properties
  const addedCount = useSignal(0)
  const addLine = useRef<HTMLDivElement>(null)
  const isPasting = useRef(false)
  /** Pasted rows whose columns the user has to identify. */
  const unclearTable = useSignal<PastedTable | undefined>(undefined)
  const paste = (pasted: readonly PastedRow[]) => {
    isPasting.current = true
    next?.paste?.(pasted).finally(() => {
      isPasting.current = false
    })
  }
  useCommands(
    () => (next ? [{ keys: 'a', label: () => next.title, run: () => addLine.current?.querySelector('input')?.focus() }] : []),
    [next === undefined, next?.title],
  )
  return (
    <Panel title={t('orders.lines')} class="flush">
      <Rows
        {...rowsProperties}
        title={t('orders.lines')}
        rows={rows}
        getName={(row) => lineLabel(nameOf(row), row)}
        deleted={t('orders.line-deleted')}
        emptyText={next || requirement ? undefined : t('orders.no-lines')}
      />
      {rows.length < total && (
        <p class="quiet-text pad">{t('orders.more-lines', { count: formatNumber(total - rows.length) })}</p>
      )}
      {requirement && <p class="quiet-text pad">{requirement}</p>}
      {next && (
        <AddLine
          containerRef={addLine}
          onPaste={(text) => {
            const table = next.paste && parsePastedTable(text)
            if (!table || isPasting.current) return table !== undefined
            if (table.quantity === undefined || table.names.length === 0) unclearTable.value = table
            else paste(getPastedRows(table, table.names, table.quantity, getDecimalSeparator()))
            return true
          }}
        >
          <Combobox
            key={addedCount.value}
            source={next.source}
            value={null}
            onPick={async (selected) => {
              if (!selected) return
              await next.add(selected)
              addedCount.value++
            }}
            placeholder={next.placeholder}
            fallback={next.fallback}
            attributes={{ 'aria-label': next.title }}
          />
        </AddLine>
      )}
      {unclearTable.value && (
        <PastedColumns
          table={unclearTable.value}
          onRows={(pasted) => {
            unclearTable.value = undefined
            paste(pasted)
          }}
          onClose={() => {
            unclearTable.value = undefined
          }}
        />
      )}
    </Panel>
  )
}

import { count, formatNumber, t } from '../language/language.ts'
import { Icon } from '../page/icon.tsx'
import type { RowAction, RowSelection } from './choice.ts'
import type { Rows } from './table-rows.ts'

type Properties<Row extends { pk: number }> = {
  choice: RowSelection<Row>
  rows: Rows<Row>
  actions: readonly RowAction<Row>[]
  onRun: (action: RowAction<Row>) => void
}

/** The number of selected rows of a table, and their actions. It is shown while rows are selected. */
export function ChoiceBar<Row extends { pk: number }>({ choice, rows, actions, onRun }: Properties<Row>) {
  const selectedRows = [...choice.chosen.value.values()]
  const total = rows.count.value ?? 0
  if (selectedRows.length === 0) return null
  return (
    <section class="choice-bar" aria-label={t('choice.title')}>
      <output>{count('choice.selected', selectedRows.length)}</output>
      <div class="actions">
        {actions.map((action) => {
          const matchingCount = action.isFor ? selectedRows.filter(action.isFor).length : selectedRows.length
          return (
            <button key={action.label()} type="button" disabled={matchingCount === 0} onClick={() => onRun(action)}>
              {action.icon && <Icon name={action.icon} />}
              {action.label()}
              {matchingCount > 0 && matchingCount < selectedRows.length && <small>{formatNumber(matchingCount)}</small>}
            </button>
          )
        })}
      </div>
      <div class="choice-end">
        {selectedRows.length < total && (
          <button type="button" class="quiet" onClick={() => choice.all(rows)}>
            {t('choice.all', { count: formatNumber(total) })}
          </button>
        )}
        <button type="button" class="quiet" onClick={() => choice.clear()}>
          {t('choice.none')}
        </button>
      </div>
    </section>
  )
}

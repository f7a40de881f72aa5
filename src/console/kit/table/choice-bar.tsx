import { count, number, t } from '../language/language.ts'
import { Icon } from '../page/icon.tsx'
import type { Choice, RowAction } from './choice.ts'
import type { Rows } from './table-rows.ts'

type Properties<Row extends { pk: number }> = {
  choice: Choice<Row>
  rows: Rows<Row>
  actions: readonly RowAction<Row>[]
  onRun: (action: RowAction<Row>) => void
}

/** The number of selected rows of a table, and their actions. It is shown while rows are selected. */
export function ChoiceBar<Row extends { pk: number }>({ choice, rows, actions, onRun }: Properties<Row>) {
  const chosen = [...choice.chosen.value.values()]
  const total = rows.count.value ?? 0
  if (chosen.length === 0) return null
  return (
    <section class="choice-bar" aria-label={t('choice.title')}>
      <output>{count('choice.chosen', chosen.length)}</output>
      <div class="actions">
        {actions.map((action) => {
          const fitting = action.isFor ? chosen.filter(action.isFor).length : chosen.length
          return (
            <button key={action.label()} type="button" disabled={fitting === 0} onClick={() => onRun(action)}>
              {action.icon && <Icon name={action.icon} />}
              {action.label()}
              {fitting > 0 && fitting < chosen.length && <small>{number(fitting)}</small>}
            </button>
          )
        })}
      </div>
      <div class="choice-end">
        {chosen.length < total && (
          <button type="button" class="quiet" onClick={() => choice.all(rows)}>
            {t('choice.all', { count: number(total) })}
          </button>
        )}
        <button type="button" class="quiet" onClick={() => choice.clear()}>
          {t('choice.none')}
        </button>
      </div>
    </section>
  )
}

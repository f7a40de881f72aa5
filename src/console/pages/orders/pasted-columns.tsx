import { useSignal } from '@preact/signals'
import { count, getDecimalSeparator, t } from '../../kit/language/language.ts'
import { Dialog } from '../../kit/window/dialog.tsx'
import { getPastedRows, type PastedRow, type PastedTable } from './pasted-table.ts'

/** Maximum number of pasted rows shown. */
const MAX_PREVIEW_ROWS = 20

type Properties = { table: PastedTable; onRows: (rows: readonly PastedRow[]) => void; onClose: () => void }

/** Asks which columns of pasted rows name the part and hold the quantity, where that is uncertain. */
export function PastedColumns({ table, onRows, onClose }: Properties) {
  const { headings, rows } = table
  const width = Math.max(headings?.length ?? 0, ...rows.map(({ length }) => length))
  const titles = Array.from({ length: width }, (_, index) => headings?.[index] || t('parts.pasted-column', { at: index + 1 }))
  const partColumn = useSignal(table.names[0] === undefined ? '' : String(table.names[0]))
  const quantityColumn = useSignal(table.quantity === undefined ? '' : String(table.quantity))
  const isComplete = partColumn.value !== '' && quantityColumn.value !== '' && partColumn.value !== quantityColumn.value
  // if the headings of several columns name the part, all of them are used
  const names = partColumn.value === String(table.names[0]) ? table.names : [Number(partColumn.value)]
  const renderSelect = (title: string, value: typeof partColumn, extraOption?: { value: string; title: string }) => (
    <label class="field">
      {title}
      <select
        value={value.value}
        onChange={(event) => {
          value.value = event.currentTarget.value
        }}
      >
        <option value="">{t('orders.pasted-select')}</option>
        {titles.map((heading, index) => (
          <option key={index} value={String(index)}>
            {heading}
          </option>
        ))}
        {extraOption && <option value={extraOption.value}>{extraOption.title}</option>}
      </select>
    </label>
  )
  return (
    <Dialog title={t('parts.pasted')} onClose={onClose} size="wide">
      <p>{t('orders.pasted-ask')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isComplete)
            onRows(
              getPastedRows(
                table,
                names,
                quantityColumn.value === 'one' ? 'one' : Number(quantityColumn.value),
                getDecimalSeparator(),
              ),
            )
        }}
      >
        <div class="fields">
          {renderSelect(t('orders.pasted-part'), partColumn)}
          {renderSelect(t('orders.pasted-quantity'), quantityColumn, { value: 'one', title: t('orders.pasted-one') })}
        </div>
        <div class="short-table">
          <table aria-label={t('parts.pasted')}>
            <thead>
              <tr>
                {titles.map((title, index) => (
                  <th key={index} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, MAX_PREVIEW_ROWS).map((row, rowIndex) => (
                <tr key={rowIndex}>
                  {titles.map((_, index) => (
                    <td key={index}>{row[index]}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <div class="buttons">
          <button type="submit" class="primary" disabled={!isComplete}>
            {count('orders.pasted-add', rows.length)}
          </button>
          <button type="button" onClick={onClose}>
            {t('cancel')}
          </button>
        </div>
      </form>
    </Dialog>
  )
}

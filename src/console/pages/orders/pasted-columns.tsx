import { useSignal } from '@preact/signals'
import { count, decimalSign, t } from '../../kit/language/language.ts'
import { Dialog } from '../../kit/window/dialog.tsx'
import { type Pasted, type PastedTable, rowsOf } from './pasted-table.ts'

/** Maximum number of pasted rows shown. */
const MAX_PREVIEW_ROWS = 20

type Properties = { table: PastedTable; onRows: (rows: readonly Pasted[]) => void; onClose: () => void }

/** Asks which columns of pasted rows name the part and hold the quantity, where the table leaves that open. */
export function PastedColumns({ table, onRows, onClose }: Properties) {
  const { headings, rows } = table
  const width = Math.max(headings?.length ?? 0, ...rows.map(({ length }) => length))
  const titles = Array.from({ length: width }, (_, at) => headings?.[at] || t('parts.pasted-column', { at: at + 1 }))
  const name = useSignal(table.names[0] === undefined ? '' : String(table.names[0]))
  const quantity = useSignal(table.quantity === undefined ? '' : String(table.quantity))
  const isSure = name.value !== '' && quantity.value !== '' && name.value !== quantity.value
  // headings that name several columns all count
  const names = name.value === String(table.names[0]) ? table.names : [Number(name.value)]
  const column = (title: string, value: typeof name, more?: { value: string; title: string }) => (
    <label class="field">
      {title}
      <select
        value={value.value}
        onChange={(event) => {
          value.value = event.currentTarget.value
        }}
      >
        <option value="">{t('orders.pasted-choose')}</option>
        {titles.map((heading, at) => (
          <option key={at} value={String(at)}>
            {heading}
          </option>
        ))}
        {more && <option value={more.value}>{more.title}</option>}
      </select>
    </label>
  )
  return (
    <Dialog title={t('parts.pasted')} onClose={onClose} size="wide">
      <p>{t('orders.pasted-ask')}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (isSure) onRows(rowsOf(table, names, quantity.value === 'one' ? 'one' : Number(quantity.value), decimalSign()))
        }}
      >
        <div class="fields">
          {column(t('orders.pasted-part'), name)}
          {column(t('orders.pasted-quantity'), quantity, { value: 'one', title: t('orders.pasted-one') })}
        </div>
        <div class="short-table">
          <table aria-label={t('parts.pasted')}>
            <thead>
              <tr>
                {titles.map((title, at) => (
                  <th key={at} scope="col">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, MAX_PREVIEW_ROWS).map((row, at) => (
                <tr key={at}>
                  {titles.map((_, index) => (
                    <td key={index}>{row[index]}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <div class="buttons">
          <button type="submit" class="primary" disabled={!isSure}>
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

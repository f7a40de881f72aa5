import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Refusal } from '../../kit/api.ts'
import { Confirm } from '../../kit/confirm.tsx'
import { Icon } from '../../kit/icon.tsx'
import { t } from '../../kit/language.ts'
import { remove } from '../../kit/saves.ts'
import type { SheetRow } from '../../kit/sheet.tsx'
import { tell } from '../../kit/toast.tsx'

type Properties<Row> = {
  /** Where the lines are: `/api/order/po-line/`. */
  path: string
  /** What a line is called. */
  nameOf: (row: Row) => string | undefined
  onChanged: () => void
}
type LineDeletion<Row> = {
  /** The button at the end of a line. */
  bin: (row: Row) => ComponentChildren
  /** Stands outside the lines, so that its keys are not theirs. */
  question: ComponentChildren
}

/** Deletes lines of an order, each after asking. */
export function useLineDeletion<Row extends SheetRow>({ path, nameOf, onChanged }: Properties<Row>): LineDeletion<Row> {
  const asked = useSignal<Row | undefined>(undefined)
  const titled = (row: Row) => ({ line: nameOf(row) || String(row.pk) })
  async function take(row: Row) {
    try {
      await remove(`${path}${row.pk}/`, row.etag)
      tell(t('orders.line-deleted'))
      onChanged()
    } catch (error) {
      // somebody else may have changed it
      if (error instanceof Refusal) onChanged()
      throw error
    }
  }
  const row = asked.value
  return {
    bin: (line) => (
      <button
        type="button"
        class="quiet icon-only"
        aria-label={t('orders.delete-line', titled(line))}
        onClick={() => {
          asked.value = line
        }}
      >
        <Icon name="trash" />
      </button>
    ),
    question: row && (
      <Confirm
        title={t('orders.delete-line-ask', titled(row))}
        button={t('delete')}
        onConfirm={() => take(row)}
        onClose={() => {
          asked.value = undefined
        }}
      />
    ),
  }
}

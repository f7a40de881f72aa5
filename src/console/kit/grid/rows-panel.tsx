import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { FormDialog, type FormDialogProperties } from '../form/form-dialog.tsx'
import { t } from '../language/language.ts'
import { useCommands } from '../navigation/keys.ts'
import { Icon } from '../page/icon.tsx'
import { Panel } from '../page/page.tsx'
import { post } from '../service/api.ts'
import type { SheetRow } from './grid.tsx'
import { Rows, type RowsProperties } from './rows.tsx'

type Properties<Row> = RowsProperties<Row> & {
  rights: { add: boolean; change: boolean; delete: boolean }
  /** The form for a new row; the key that opens it; the label of its button in the panel, if that is shorter than the form's title. */
  added: Pick<FormDialogProperties<unknown>, 'title' | 'start' | 'names' | 'without' | 'own' | 'button'> & {
    keys?: string
    shortTitle?: string
  }
  /** Content below the rows, such as a link to more of them. */
  children?: ComponentChildren
}

/** Rows that belong to an object, with a button that opens the form for a new one. */
export function RowsPanel<Row extends SheetRow>({ added, children, ...rowsProperties }: Properties<Row>) {
  const { title, metadata, rights, onChanged } = rowsProperties
  const { keys, shortTitle, ...form } = added
  const isAdding = useSignal(false)
  const set = (isOpen: boolean) => () => {
    isAdding.value = isOpen
  }
  useCommands(() => (rights.add ? [{ keys, label: () => added.title, run: set(true) }] : []), [rights.add, keys, added.title])
  if (rowsProperties.rows.length === 0 && !rights.add && rowsProperties.emptyText === undefined) return null
  return (
    <Panel
      title={title}
      class="flush"
      actions={
        rights.add && (
          <button type="button" class="quiet" aria-keyshortcuts={keys} onClick={set(true)}>
            <Icon name="plus" />
            {shortTitle ?? added.title}
          </button>
        )
      }
    >
      <Rows {...rowsProperties} />
      {children}
      {isAdding.value && (
        <FormDialog<unknown>
          {...form}
          metadata={metadata}
          send={(values, key) => post(metadata.path, values, key)}
          getSuccessMessage={() => t('saved')}
          onDone={() => {
            isAdding.value = false
            onChanged()
          }}
          onClose={set(false)}
        />
      )}
    </Panel>
  )
}

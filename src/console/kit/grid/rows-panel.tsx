import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { FormDialog, type FormDialogProperties } from '../form/form-dialog.tsx'
import { t } from '../language/language.ts'
import { useCommands } from '../navigation/keys.ts'
import { Icon } from '../page/icon.tsx'
import { Panel } from '../page/page.tsx'
import { post } from '../service/api.ts'
import type { GridRow } from './grid.tsx'
import { Rows, type RowsProperties } from './rows.tsx'

type Properties<Row> = RowsProperties<Row> & {
  rights: { add: boolean; change: boolean; delete: boolean }
  /** The form for a new row; the key that opens it; the label of its button in the panel, if that is shorter than the form's title. */
  addForm: Pick<FormDialogProperties<unknown>, 'title' | 'start' | 'names' | 'without' | 'customFields' | 'button'> & {
    keys?: string
    shortTitle?: string
  }
  /** Content below the rows, such as a link to more of them. */
  children?: ComponentChildren
}

/** Rows that belong to an object, with a button that opens the form for a new one. */
export function RowsPanel<Row extends GridRow>({ addForm, children, ...rowsProperties }: Properties<Row>) {
  const { title, metadata, rights, onChanged } = rowsProperties
  const { keys, shortTitle, ...form } = addForm
  const isAdding = useSignal(false)
  const setAdding = (isOpen: boolean) => () => {
    isAdding.value = isOpen
  }
  useCommands(
    () => (rights.add ? [{ keys, label: () => addForm.title, run: setAdding(true) }] : []),
    [rights.add, keys, addForm.title],
  )
  if (rowsProperties.rows.length === 0 && !rights.add && rowsProperties.emptyText === undefined) return null
  return (
    <Panel
      title={title}
      class="flush"
      actions={
        rights.add && (
          <button type="button" class="quiet" aria-keyshortcuts={keys} onClick={setAdding(true)}>
            <Icon name="plus" />
            {shortTitle ?? addForm.title}
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
          onClose={setAdding(false)}
        />
      )}
    </Panel>
  )
}

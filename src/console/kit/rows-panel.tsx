import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { post } from './api.ts'
import { Confirm } from './confirm.tsx'
import type { ResourceFacts } from './facts.ts'
import type { Values } from './form.tsx'
import { FormDialog } from './form-dialog.tsx'
import { Icon } from './icon.tsx'
import { useCommands } from './keys.ts'
import { t } from './language.ts'
import { Panel } from './page.tsx'
import { remove } from './saves.ts'
import { Sheet, type SheetColumn, type SheetRow } from './sheet.tsx'

type Properties<Row> = {
  title: string
  /** Where the rows are: `/api/company/contact/`. */
  facts: ResourceFacts
  rows: readonly Row[]
  columns: readonly SheetColumn<Row>[]
  nameOf: (row: Row) => string
  rights: { add: boolean; change: boolean; delete: boolean }
  /** A new one: what that is called, the key that begins it, what it holds at first, and what is asked for. */
  added: { title: string; keys?: string; start: Values; names: readonly string[]; without: readonly string[] }
  /** What is said where there are none. */
  none?: string
  /** It is not the table of its page that keys go to first. */
  isBeside?: boolean
  /** Reads the rows anew. */
  onChanged: () => void
}

/** Some rows that belong to an object: they are edited in place, and there is a way to a new one, and out. */
export function RowsPanel<Row extends SheetRow>(properties: Properties<Row>) {
  const { title, facts, columns, nameOf, rights, added, none, isBeside, onChanged } = properties
  const rows = useSignal(properties.rows)
  const doing = useSignal<'add' | { leaving: Row } | undefined>(undefined)
  useEffect(() => {
    rows.value = properties.rows
  }, [properties.rows])
  const add = () => {
    doing.value = 'add'
  }
  const close = () => {
    doing.value = undefined
  }
  useCommands(
    () => (rights.add ? [{ keys: added.keys, label: () => added.title, run: add }] : []),
    [rights.add, added.keys, added.title],
  )
  if (properties.rows.length === 0 && !rights.add && none === undefined) return null
  const what = doing.value
  return (
    <Panel
      title={title}
      class="flush"
      actions={
        rights.add && (
          <button type="button" class="quiet" onClick={add}>
            <Icon name="plus" />
            {added.title}
          </button>
        )
      }
    >
      {rows.value.length > 0 ? (
        <Sheet
          facts={facts}
          title={title}
          rows={rows.value}
          columns={columns}
          mayChange={rights.change}
          isBeside={isBeside}
          onRow={({ body, etag }) => {
            rows.value = rows.value.map((row) => (row.pk === body.pk ? { ...row, ...body, etag } : row))
            onChanged()
          }}
          end={
            rights.delete
              ? (row) => (
                  <button
                    type="button"
                    class="quiet icon-only"
                    aria-label={t('rows.delete', { name: nameOf(row) })}
                    onClick={() => {
                      doing.value = { leaving: row }
                    }}
                  >
                    <Icon name="trash" />
                  </button>
                )
              : undefined
          }
        />
      ) : (
        none && <p class="quiet-text pad">{none}</p>
      )}
      {what === 'add' && (
        <FormDialog<unknown>
          title={added.title}
          facts={facts}
          start={added.start}
          names={added.names}
          without={added.without}
          send={(values, key) => post(facts.path, values, key)}
          done={() => t('saved')}
          onDone={() => {
            close()
            onChanged()
          }}
          onClose={close}
        />
      )}
      {typeof what === 'object' && (
        <Confirm
          title={t('rows.delete-ask', { name: nameOf(what.leaving) })}
          button={t('delete')}
          onConfirm={() => remove(`${facts.path}${what.leaving.pk}/`, what.leaving.etag).finally(onChanged)}
          onClose={close}
        />
      )}
    </Panel>
  )
}

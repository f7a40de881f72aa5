import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Confirm } from '../../kit/form/confirm.tsx'
import { Edit } from '../../kit/form/edit.tsx'
import { label, t } from '../../kit/language/language.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { useActions } from '../../kit/page/actions.tsx'
import { DescriptionList, Page, Panel } from '../../kit/page/page.tsx'
import type { ApiResponse } from '../../kit/service/api.ts'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { remove } from '../../kit/service/saves.ts'
import { hasPermission } from '../../kit/service/session.ts'

/** The roles whose permissions apply to supplier and manufacturer parts. */
export const ROLES = ['part', 'purchase_order']

type SourcedPart = { part: number; part_detail: { full_name: string } | null }

type Properties<T extends SourcedPart> = {
  metadata: ResourceMetadata
  /** Its URL in the API, and the response from there. */
  url: string
  start: ApiResponse<T>
  /** Its SKU or MPN. */
  name: string
  state?: ComponentChildren
  /** The key figures above the panels. */
  figures?: ComponentChildren
  /** The fields of its form, in order. */
  fields: readonly string[]
  /** The details on its page, after the part. */
  rows: readonly (readonly [name: string, value: ComponentChildren])[]
  /** The other data that deleting it removes. */
  deletion: string
  /** Its other panels. */
  children: ComponentChildren
  reload: () => void
}

/** The page of a supplier part or a manufacturer part: its details, edited in place, and further panels. */
export function SourcedPartPage<T extends SourcedPart>(properties: Properties<T>) {
  const { metadata, url, start, name, state, figures, fields, rows, deletion, children, reload } = properties
  const { part, part_detail } = start.body
  const dialog = useSignal<'edit' | 'delete' | undefined>(undefined)
  const show = (next: typeof dialog.value) => () => {
    dialog.value = next
  }
  const close = show(undefined)
  const actions = useActions(
    [
      hasPermission('change', ...ROLES) && { title: t('edit'), keys: 'e', icon: 'edit', run: show('edit') },
      hasPermission('delete', ...ROLES) && { title: t('delete'), keys: 'Shift+D', icon: 'trash', run: show('delete') },
    ],
    1,
  )
  const crumbs = [
    { text: t('parts.title'), to: '/part/' },
    { text: part_detail?.full_name ?? String(part), to: `/part/${part}/` },
  ]
  return (
    <Page title={name} crumbs={crumbs} state={state} actions={actions}>
      {figures}
      <div class="columns">
        <Panel title={dialog.value === 'edit' ? t('edit') : undefined}>
          {dialog.value === 'edit' ? (
            <Edit
              metadata={metadata}
              url={url}
              start={start}
              names={fields}
              without={['part', 'barcode_hash']}
              onSaved={() => {
                close()
                reload()
              }}
              onCancel={close}
            />
          ) : (
            <DescriptionList
              rows={[
                [
                  label('part'),
                  <a key="part" href={`/part/${part}/`}>
                    {part_detail?.full_name}
                  </a>,
                ],
                ...rows,
              ]}
            />
          )}
        </Panel>
        {children}
      </div>
      {dialog.value === 'delete' && (
        <Confirm
          title={t('rows.delete-confirm', { name })}
          button={t('delete')}
          onConfirm={async () => {
            await remove(url, start.etag)
            navigate(`/part/${part}/`, { replace: true })
          }}
          onClose={close}
        >
          <p>{deletion}</p>
        </Confirm>
      )}
    </Page>
  )
}

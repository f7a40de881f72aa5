import facts from 'facts:/api/company/part/manufacturer/'
import parameterFacts from 'facts:/api/company/part/manufacturer/parameter/'
import { useSignal } from '@preact/signals'
import { type Page as ListPage, remove, withQuery } from '../../kit/api.ts'
import { Attachments } from '../../kit/attachments.tsx'
import { Confirm } from '../../kit/confirm.tsx'
import { useRead } from '../../kit/data.ts'
import { Edit } from '../../kit/edit.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { label, t } from '../../kit/language.ts'
import { Menu } from '../../kit/menu.tsx'
import { Facts, Page, type PageProperties, Panel } from '../../kit/page.tsx'
import { Refused } from '../../kit/refused.tsx'
import { navigate } from '../../kit/router.ts'
import { RowsPanel } from '../../kit/rows-panel.tsx'
import { may } from '../../kit/session.ts'
import type { SheetColumn } from '../../kit/sheet.tsx'
import { ShortTable } from '../../kit/short-table.tsx'

type ManufacturerPart = {
  pk: number
  part: number
  part_detail: { full_name: string } | null
  manufacturer: number
  manufacturer_detail: { name: string } | null
  MPN: string
  description: string | null
  link: string
}
type Parameter = { pk: number; etag?: string; name: string; value: string; units: string | null }
type Sold = { pk: number; SKU: string; supplier: number; supplier_detail: { name: string } | null }
type Shown = { made: ManufacturerPart; parameters: ListPage<Parameter>; sold: ListPage<Sold> }

/** The most of its parameters, and of those who sell it, that are shown. */
const MOST = 200

const ROLES = ['part', 'purchase_order']
const FIELDS = ['MPN', 'manufacturer', 'description', 'link']

const PARAMETERS: readonly SheetColumn<Parameter>[] = [
  { name: 'name', cell: ({ name }) => name, edit: true },
  { name: 'value', cell: ({ value }) => value, edit: true },
  { name: 'units', width: '8rem', cell: ({ units }) => units, edit: true },
]

/** `/manufacturer-part/:pk/`: a part as a manufacturer makes it. */
export function ManufacturerPartPage({ at }: PageProperties) {
  const url = `${facts.path}${at.pk}/`
  const { data, refusal, again } = useRead<Shown>({
    made: withQuery(url, { part_detail: true, manufacturer_detail: true }),
    parameters: withQuery(parameterFacts.path, { manufacturer_part: at.pk, ordering: 'name', etag: true, limit: MOST }),
    sold: withQuery('/api/company/part/', { manufacturer_part: at.pk, supplier_detail: true, limit: MOST }),
  })
  const doing = useSignal<'edit' | 'delete' | undefined>(undefined)
  const start = (what: typeof doing.value) => () => {
    doing.value = what
  }
  const close = start(undefined)
  const rights = { add: may('add', ...ROLES), change: may('change', ...ROLES), delete: may('delete', ...ROLES) }
  useCommands(() => (rights.change ? [{ keys: 'e', label: () => t('edit'), run: start('edit') }] : []), [rights.change])
  const made = data?.made.body
  const crumbs = [
    { text: t('parts.title'), to: '/part/' },
    ...(made ? [{ text: made.part_detail?.full_name ?? String(made.part), to: `/part/${made.part}/` }] : []),
  ]
  if (refusal) return <Refused refusal={refusal} crumbs={crumbs} />
  if (!data || !made) return null
  const sold = data.sold.body.results
  const actions = (
    <>
      {rights.change && (
        <button type="button" onClick={start('edit')}>
          <Icon name="edit" />
          {t('edit')}
        </button>
      )}
      {rights.delete && (
        <Menu label={t('more')} icon="menu">
          <button type="button" class="quiet" onClick={start('delete')}>
            <Icon name="close" />
            {t('delete')}
          </button>
        </Menu>
      )}
    </>
  )
  return (
    <Page title={made.MPN} crumbs={crumbs} actions={actions}>
      <div class="columns">
        <Panel title={doing.value === 'edit' ? t('edit') : undefined}>
          {doing.value === 'edit' ? (
            <Edit
              facts={facts}
              url={url}
              start={data.made}
              names={FIELDS}
              without={['part', 'barcode_hash']}
              onSaved={() => {
                close()
                again()
              }}
              onCancel={close}
            />
          ) : (
            <Facts
              rows={[
                [
                  label('part'),
                  <a key="part" href={`/part/${made.part}/`}>
                    {made.part_detail?.full_name}
                  </a>,
                ],
                [
                  label('manufacturer'),
                  <a key="manufacturer" href={`/company/${made.manufacturer}/`}>
                    {made.manufacturer_detail?.name}
                  </a>,
                ],
                [label('description'), made.description],
                [label('link'), made.link && <a href={made.link}>{made.link}</a>],
              ]}
            />
          )}
        </Panel>
        <RowsPanel<Parameter>
          title={t('parts.parameters')}
          facts={parameterFacts}
          rows={data.parameters.body.results}
          columns={PARAMETERS}
          nameOf={({ name }) => name}
          rights={rights}
          added={{
            title: t('parts.add-parameter'),
            keys: 'n',
            start: { manufacturer_part: made.pk },
            names: ['name', 'value', 'units'],
            without: ['manufacturer_part'],
          }}
          onChanged={again}
        />
        {sold.length > 0 && (
          <Panel title={t('parts.suppliers')}>
            <ShortTable
              title={t('parts.suppliers')}
              rows={sold}
              columns={[
                { name: 'SKU', cell: ({ pk, SKU }) => <a href={`/supplier-part/${pk}/`}>{SKU}</a> },
                {
                  name: 'supplier',
                  cell: ({ supplier, supplier_detail }) => <a href={`/company/${supplier}/`}>{supplier_detail?.name}</a>,
                },
              ]}
            />
          </Panel>
        )}
        <Attachments
          url="/api/company/part/manufacturer/attachment/"
          of={{ manufacturer_part: made.pk }}
          mayAdd={rights.add}
          mayDelete={rights.delete}
        />
      </div>
      {doing.value === 'delete' && (
        <Confirm
          title={t('rows.delete-ask', { name: made.MPN })}
          button={t('delete')}
          onConfirm={async () => {
            await remove(url, data.made.etag)
            navigate(`/part/${made.part}/`, { replace: true })
          }}
          onClose={close}
        >
          <p>{t('companies.delete-made')}</p>
        </Confirm>
      )}
    </Page>
  )
}

import metadata from 'metadata:/api/company/part/manufacturer/'
import parameterMetadata from 'metadata:/api/company/part/manufacturer/parameter/'
import { Attachments } from '../../kit/files/attachments.tsx'
import { tagLinks } from '../../kit/form/tags.tsx'
import type { SheetColumn } from '../../kit/grid/grid.tsx'
import { RowsPanel } from '../../kit/grid/rows-panel.tsx'
import { label, t } from '../../kit/language/language.ts'
import { useRead } from '../../kit/page/data.ts'
import { LoadError } from '../../kit/page/load-error.tsx'
import { type PageProperties, Panel } from '../../kit/page/page.tsx'
import { type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { may } from '../../kit/service/session.ts'
import { ShortTable } from '../../kit/table/short-table.tsx'
import { ROLES, SourcedPartPage } from '../parts/supplier-parts.tsx'

type ManufacturerPart = {
  pk: number
  part: number
  part_detail: { full_name: string } | null
  manufacturer: number
  manufacturer_detail: { name: string } | null
  MPN: string
  description: string | null
  link: string
  tags: string[]
}
type Parameter = { pk: number; etag?: string; name: string; value: string; units: string | null }
type Sold = { pk: number; SKU: string; supplier: number; supplier_detail: { name: string } | null }
type PageData = { manufacturerPart: ManufacturerPart; parameters: ListPage<Parameter>; sold: ListPage<Sold> }

/** Maximum number of parameters, and of suppliers, that are shown. */
const MAX_ROWS = 200

const FIELDS = ['MPN', 'manufacturer', 'description', 'link', 'tags']

const PARAMETERS: readonly SheetColumn<Parameter>[] = [
  { name: 'name', cell: ({ name }) => name, edit: true },
  { name: 'value', cell: ({ value }) => value, edit: true },
  { name: 'units', width: '8rem', cell: ({ units }) => units, edit: true },
]

/** `/manufacturer-part/:pk/`: a manufacturer part. */
export function ManufacturerPartPage({ at }: PageProperties) {
  const url = `${metadata.path}${at.pk}/`
  const { data, error, reload } = useRead<PageData>({
    manufacturerPart: withQuery(url, { part_detail: true, manufacturer_detail: true }),
    parameters: withQuery(parameterMetadata.path, { manufacturer_part: at.pk, ordering: 'name', etag: true, limit: MAX_ROWS }),
    sold: withQuery('/api/company/part/', { manufacturer_part: at.pk, supplier_detail: true, limit: MAX_ROWS }),
  })
  const rights = { add: may('add', ...ROLES), change: may('change', ...ROLES), delete: may('delete', ...ROLES) }
  if (error) return <LoadError error={error} crumbs={[{ text: t('parts.title'), to: '/part/' }]} />
  if (!data) return null
  const { body: manufacturerPart } = data.manufacturerPart
  const sold = data.sold.body.results
  return (
    <SourcedPartPage
      metadata={metadata}
      url={url}
      start={data.manufacturerPart}
      name={manufacturerPart.MPN}
      fields={FIELDS}
      rows={[
        [
          label('manufacturer'),
          <a key="manufacturer" href={`/company/${manufacturerPart.manufacturer}/`}>
            {manufacturerPart.manufacturer_detail?.name}
          </a>,
        ],
        [label('description'), manufacturerPart.description],
        [label('tags'), tagLinks(manufacturerPart.tags, `/company/${manufacturerPart.manufacturer}/?made.tags__name=`)],
        [label('link'), manufacturerPart.link && <a href={manufacturerPart.link}>{manufacturerPart.link}</a>],
      ]}
      deletion={t('companies.delete-made')}
      reload={reload}
    >
      <RowsPanel<Parameter>
        title={t('parts.parameters')}
        metadata={parameterMetadata}
        rows={data.parameters.body.results}
        columns={PARAMETERS}
        nameOf={({ name }) => name}
        rights={rights}
        added={{
          title: t('parts.add-parameter'),
          keys: 'n',
          start: { manufacturer_part: manufacturerPart.pk },
          names: ['name', 'value', 'units'],
          without: ['manufacturer_part'],
        }}
        onChanged={reload}
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
        of={{ manufacturer_part: manufacturerPart.pk }}
        mayAdd={rights.add}
        mayDelete={rights.delete}
      />
    </SourcedPartPage>
  )
}

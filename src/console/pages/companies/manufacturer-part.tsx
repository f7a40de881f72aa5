import metadata from 'metadata:/api/company/part/manufacturer/'
import parameterMetadata from 'metadata:/api/company/part/manufacturer/parameter/'
import { Attachments } from '../../kit/files/attachments.tsx'
import { renderTagLinks } from '../../kit/form/tags.tsx'
import type { GridColumn } from '../../kit/grid/grid.tsx'
import { RowsPanel } from '../../kit/grid/rows-panel.tsx'
import { label, t } from '../../kit/language/language.ts'
import { useRead } from '../../kit/page/data.ts'
import { LoadError } from '../../kit/page/load-error.tsx'
import { type PageProperties, Panel } from '../../kit/page/page.tsx'
import { type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { hasPermission } from '../../kit/service/session.ts'
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
type SupplierPart = { pk: number; SKU: string; supplier: number; supplier_detail: { name: string } | null }
type PageData = { manufacturerPart: ManufacturerPart; parameters: ListPage<Parameter>; sold: ListPage<SupplierPart> }

/** Maximum number of parameters, and of suppliers, that are shown. */
const MAX_ROWS = 200

const FIELDS = ['MPN', 'manufacturer', 'description', 'link', 'tags']

const PARAMETER_COLUMNS: readonly GridColumn<Parameter>[] = [
  { name: 'name', cell: ({ name }) => name, edit: true },
  { name: 'value', cell: ({ value }) => value, edit: true },
  { name: 'units', width: '8rem', cell: ({ units }) => units, edit: true },
]

/** `/manufacturer-part/:pk/`: a manufacturer part. */
export function ManufacturerPartPage({ params }: PageProperties) {
  const url = `${metadata.path}${params.pk}/`
  const { data, error, reload } = useRead<PageData>({
    manufacturerPart: withQuery(url, { part_detail: true, manufacturer_detail: true }),
    parameters: withQuery(parameterMetadata.path, {
      manufacturer_part: params.pk,
      ordering: 'name',
      etag: true,
      limit: MAX_ROWS,
    }),
    sold: withQuery('/api/company/part/', { manufacturer_part: params.pk, supplier_detail: true, limit: MAX_ROWS }),
  })
  const rights = {
    add: hasPermission('add', ...ROLES),
    change: hasPermission('change', ...ROLES),
    delete: hasPermission('delete', ...ROLES),
  }
  if (error) return <LoadError error={error} crumbs={[{ text: t('parts.title'), to: '/part/' }]} />
  if (!data) return null
  const { body: manufacturerPart } = data.manufacturerPart
  const supplierParts = data.sold.body.results
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
        [label('tags'), renderTagLinks(manufacturerPart.tags, `/company/${manufacturerPart.manufacturer}/?made.tags__name=`)],
        [label('link'), manufacturerPart.link && <a href={manufacturerPart.link}>{manufacturerPart.link}</a>],
      ]}
      deletion={t('companies.delete-manufacturer-part')}
      reload={reload}
    >
      <RowsPanel<Parameter>
        title={t('parts.parameters')}
        metadata={parameterMetadata}
        rows={data.parameters.body.results}
        columns={PARAMETER_COLUMNS}
        getName={({ name }) => name}
        rights={rights}
        addForm={{
          title: t('parts.add-parameter'),
          keys: 'n',
          start: { manufacturer_part: manufacturerPart.pk },
          names: ['name', 'value', 'units'],
          without: ['manufacturer_part'],
        }}
        onChanged={reload}
      />
      {supplierParts.length > 0 && (
        <Panel title={t('parts.suppliers')}>
          <ShortTable
            title={t('parts.suppliers')}
            rows={supplierParts}
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
      <Attachments model="manufacturerpart" pk={manufacturerPart.pk} canAdd={rights.add} canDelete={rights.delete} />
    </SourcedPartPage>
  )
}

import soldMetadata from 'metadata:/api/company/part/'
import madeMetadata from 'metadata:/api/company/part/manufacturer/'
import { useSignal } from '@preact/signals'
import { useBulkEdit } from '../../kit/grid/bulk-edit.tsx'
import { formatNumber, formatWithUnit, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Badge, Empty, Panel } from '../../kit/page/page.tsx'
import { Thumbnail } from '../../kit/page/thumbnail.tsx'
import { hasPermission } from '../../kit/service/session.ts'
import type { Column } from '../../kit/table/column.ts'
import { Table } from '../../kit/table/table.tsx'
import type { Company } from './company-details.tsx'
import { NewManufacturerPart } from './new-manufacturer-part.tsx'
import { NewSupplierPart } from './new-supplier-part.tsx'

type PartBrief = { full_name: string; units: string | null; thumbnail: string } | null
type SupplierPartRow = {
  pk: number
  part: number
  part_detail: PartBrief
  SKU: string
  MPN: string | null
  description: string | null
  pack_quantity_native: number
  available: number
  active: boolean
}
type ManufacturedPart = { pk: number; part: number; part_detail: PartBrief; MPN: string; description: string | null }

const renderPart = ({ part, part_detail }: Pick<ManufacturedPart, 'part' | 'part_detail'>) => (
  <a href={`/part/${part}/`}>
    <Thumbnail url={part_detail?.thumbnail} />
    {part_detail?.full_name}
  </a>
)

const SUPPLIER_PART_COLUMNS: readonly Column<SupplierPartRow>[] = [
  {
    name: 'SKU',
    width: '14rem',
    cell: ({ pk, SKU, active }) => (
      <>
        <a href={`/supplier-part/${pk}/`}>{SKU}</a> {!active && <Badge tone="warn">{t('parts.inactive')}</Badge>}
      </>
    ),
  },
  { name: 'part', cell: renderPart },
  { name: 'description', order: null, isWide: true, cell: ({ description }) => description },
  { name: 'MPN', width: '13rem', isWide: true, cell: ({ MPN }) => MPN },
  {
    name: 'pack_quantity',
    width: '7rem',
    align: 'end',
    isWide: true,
    cell: ({ pack_quantity_native, part_detail }) => formatWithUnit(pack_quantity_native, part_detail?.units),
  },
  {
    name: 'available',
    order: null,
    width: '9rem',
    align: 'end',
    isExtra: true,
    cell: ({ available }) => formatNumber(available),
  },
]

const MANUFACTURED_COLUMNS: readonly Column<ManufacturedPart>[] = [
  { name: 'MPN', width: '14rem', cell: ({ pk, MPN }) => <a href={`/manufacturer-part/${pk}/`}>{MPN}</a> },
  { name: 'part', cell: renderPart },
  { name: 'description', isWide: true, cell: ({ description }) => description },
]

/** The fields that can be changed for several supplier parts at once. */
const BULK_FIELDS = ['active', 'packaging', 'pack_quantity', 'description', 'note', 'link']

/** The parts that a company supplies and those that it manufactures, each in a table. */
export function CompanyParts({ company }: { company: Company }) {
  const openForm = useSignal<'sold' | 'made' | undefined>(undefined)
  const canAdd = hasPermission('add', 'part', 'purchase_order')
  const bulkEdit = useBulkEdit<SupplierPartRow>({
    metadata: soldMetadata,
    fields: BULK_FIELDS,
    getName: ({ SKU }) => SKU,
    isAllowed: hasPermission('change', 'part', 'purchase_order'),
  })
  const createOpener = (kind: typeof openForm.value) => () => {
    openForm.value = kind
  }
  useCommands(
    () =>
      canAdd
        ? [
            ...(company.is_supplier
              ? [{ keys: 's', label: () => t('companies.new-supplier-part'), run: createOpener('sold') }]
              : []),
            ...(company.is_manufacturer
              ? [{ keys: 'm', label: () => t('companies.new-manufacturer-part'), run: createOpener('made') }]
              : []),
          ]
        : [],
    [canAdd, company.is_supplier, company.is_manufacturer],
  )
  const renderButton = (kind: 'sold' | 'made') =>
    canAdd && (
      <button type="button" class="quiet" onClick={createOpener(kind)}>
        <Icon name="plus" />
        {t(kind === 'sold' ? 'companies.new-supplier-part' : 'companies.new-manufacturer-part')}
      </button>
    )
  return (
    <>
      {company.is_supplier && (
        <Panel title={t('companies.supplied-parts')} class="flush" actions={renderButton('sold')}>
          <Table
            metadata={soldMetadata}
            columns={SUPPLIER_PART_COLUMNS}
            filters={['active', 'tags__name']}
            rareFilters={['tags__name']}
            fixed={{ supplier: String(company.pk), part_detail: 'true' }}
            order="SKU"
            to={({ pk }) => `/supplier-part/${pk}/`}
            actions={bulkEdit.actions}
            title={t('companies.supplied-parts')}
            empty={<Empty title={t('companies.no-supplied-parts')} />}
            urlPrefix="sold"
            isEmbedded
          />
        </Panel>
      )}
      {company.is_manufacturer && (
        <Panel title={t('companies.manufactured-parts')} class="flush" actions={renderButton('made')}>
          <Table
            metadata={madeMetadata}
            columns={MANUFACTURED_COLUMNS}
            filters={['tags__name']}
            rareFilters={['tags__name']}
            fixed={{ manufacturer: String(company.pk), part_detail: 'true' }}
            order="MPN"
            to={({ pk }) => `/manufacturer-part/${pk}/`}
            title={t('companies.manufactured-parts')}
            empty={<Empty title={t('companies.no-manufactured-parts')} />}
            urlPrefix="made"
            isEmbedded
          />
        </Panel>
      )}
      {bulkEdit.dialog}
      {openForm.value === 'sold' && <NewSupplierPart supplier={company.pk} onClose={createOpener(undefined)} />}
      {openForm.value === 'made' && <NewManufacturerPart manufacturer={company.pk} onClose={createOpener(undefined)} />}
    </>
  )
}

import metadata from 'metadata:/api/company/part/'
import breakMetadata from 'metadata:/api/company/price-break/'
import { Attachments } from '../../kit/files/attachments.tsx'
import { renderTagLinks } from '../../kit/form/tags.tsx'
import type { GridColumn } from '../../kit/grid/grid.tsx'
import { RowsPanel } from '../../kit/grid/rows-panel.tsx'
import { formatDateTime, formatMoney, formatNumber, formatWithUnit, label, t } from '../../kit/language/language.ts'
import { useRead } from '../../kit/page/data.ts'
import { Figures } from '../../kit/page/figures.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Badge, type PageProperties } from '../../kit/page/page.tsx'
import { type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { hasPermission } from '../../kit/service/session.ts'
import { getRights } from '../orders/lines.tsx'
import type { PriceBreak, SupplierPart } from '../parts/part-requests.ts'
import { ROLES, SourcedPartPage } from '../parts/supplier-parts.tsx'

type PageData = SupplierPart & {
  part: number
  part_detail: { full_name: string; units: string | null } | null
  manufacturer_part: number | null
  manufacturer_detail: { pk: number; name: string } | null
  supplier_detail: { name: string; currency: string } | null
  in_stock: number
  available: number
  availability_updated: string | null
  packaging: string | null
  note: string | null
  tags: string[]
}
type Break = PriceBreak & { etag?: string }

const FIELDS = [
  'SKU',
  'supplier',
  'manufacturer_part',
  'description',
  'pack_quantity',
  'packaging',
  'link',
  'note',
  'tags',
  'available',
  'active',
]

const PRICE_BREAK_COLUMNS: readonly GridColumn<Break>[] = [
  {
    name: 'quantity',
    title: () => t('parts.minimum-packs'),
    align: 'end',
    cell: ({ quantity: packs }) => formatNumber(packs),
    edit: true,
  },
  { name: 'price', align: 'end', cell: ({ price, price_currency }) => formatMoney(price, price_currency), edit: true },
  { name: 'price_currency', width: '6rem', cell: ({ price_currency }) => price_currency, edit: true },
]

/** `/supplier-part/:pk/`: a supplier part and its prices. */
export function SupplierPartPage({ params }: PageProperties) {
  const url = `/api/company/part/${params.pk}/`
  const canViewOrders = hasPermission('view', 'purchase_order')
  const { data, error, reload } = useRead<{ sold: PageData; breaks?: ListPage<Break> }>({
    sold: withQuery(url, { part_detail: true, supplier_detail: true, manufacturer_detail: true }),
    ...(canViewOrders
      ? { breaks: withQuery('/api/company/price-break/', { part: params.pk, ordering: 'quantity', etag: true, limit: 200 }) }
      : {}),
  })
  if (error) return <LoadError error={error} crumbs={[{ text: t('parts.title'), to: '/part/' }]} />
  if (!data) return null
  const { body: supplierPart } = data.sold
  const units = supplierPart.part_detail?.units
  const breaks = data.breaks?.body.results ?? []
  return (
    <SourcedPartPage
      metadata={metadata}
      url={url}
      start={data.sold}
      name={supplierPart.SKU}
      state={!supplierPart.active && <Badge tone="warn">{t('parts.inactive')}</Badge>}
      figures={
        <Figures
          rows={[
            [
              label('supplier'),
              <a key="supplier" href={`/company/${supplierPart.supplier}/`}>
                {supplierPart.supplier_detail?.name}
              </a>,
            ],
            [t('parts.in-stock'), formatWithUnit(supplierPart.in_stock, units)],
            [t('parts.pack'), supplierPart.pack_quantity && formatWithUnit(supplierPart.pack_quantity_native, units)],
            [t('parts.supplier-stock'), supplierPart.available > 0 && formatNumber(supplierPart.available)],
          ]}
        />
      }
      fields={FIELDS}
      rows={[
        [
          label('manufacturer'),
          supplierPart.manufacturer_detail && (
            <a href={`/company/${supplierPart.manufacturer_detail.pk}/`}>{supplierPart.manufacturer_detail.name}</a>
          ),
        ],
        [
          label('MPN'),
          supplierPart.manufacturer_part === null ? (
            supplierPart.MPN
          ) : (
            <a key="made" href={`/manufacturer-part/${supplierPart.manufacturer_part}/`}>
              {supplierPart.MPN}
            </a>
          ),
        ],
        [label('description'), supplierPart.description],
        [label('packaging'), supplierPart.packaging],
        [label('note'), supplierPart.note],
        [label('tags'), renderTagLinks(supplierPart.tags, `/company/${supplierPart.supplier}/?sold.tags__name=`)],
        [label('link'), supplierPart.link && <a href={supplierPart.link}>{supplierPart.link}</a>],
        [t('parts.availability-date'), formatDateTime(supplierPart.availability_updated)],
      ]}
      deletion={t('parts.delete-supplier-part')}
      reload={reload}
    >
      {canViewOrders && (
        <RowsPanel<Break>
          title={t('parts.prices')}
          metadata={breakMetadata}
          rows={breaks}
          columns={PRICE_BREAK_COLUMNS}
          getName={(row) =>
            t('parts.price-of', { price: formatMoney(row.price, row.price_currency), quantity: formatNumber(row.quantity) })
          }
          rights={getRights('purchase_order')}
          addForm={{
            title: t('parts.new-price'),
            keys: 'n',
            start: {
              part: supplierPart.pk,
              quantity: '1',
              price: '',
              price_currency: supplierPart.supplier_detail?.currency || undefined,
            },
            names: ['quantity', 'price', 'price_currency'],
            without: ['part'],
          }}
          emptyText={t('parts.no-price')}
          onChanged={reload}
        />
      )}
      <Attachments
        model="supplierpart"
        pk={supplierPart.pk}
        canAdd={hasPermission('add', ...ROLES)}
        canDelete={hasPermission('delete', ...ROLES)}
      />
    </SourcedPartPage>
  )
}

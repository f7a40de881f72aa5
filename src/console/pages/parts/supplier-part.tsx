import metadata from 'metadata:/api/company/part/'
import breakMetadata from 'metadata:/api/company/price-break/'
import { tagLinks } from '../../kit/form/tags.tsx'
import type { SheetColumn } from '../../kit/grid/grid.tsx'
import { RowsPanel } from '../../kit/grid/rows-panel.tsx'
import { dateTime, label, money, number, quantity, t } from '../../kit/language/language.ts'
import { useRead } from '../../kit/page/data.ts'
import { Figures } from '../../kit/page/figures.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Badge, type PageProperties } from '../../kit/page/page.tsx'
import { type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { may } from '../../kit/service/session.ts'
import { rightsIn } from '../orders/lines.tsx'
import type { PriceBreak, SupplierPart } from './part-reading.ts'
import { SourcedPartPage } from './supplier-parts.tsx'

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

const BREAKS: readonly SheetColumn<Break>[] = [
  {
    name: 'quantity',
    title: () => t('parts.packs-from'),
    align: 'end',
    cell: ({ quantity: packs }) => number(packs),
    edit: true,
  },
  { name: 'price', align: 'end', cell: ({ price, price_currency }) => money(price, price_currency), edit: true },
  { name: 'price_currency', width: '6rem', cell: ({ price_currency }) => price_currency, edit: true },
]

/** `/supplier-part/:pk/`: a supplier part and its prices. */
export function SupplierPartPage({ at }: PageProperties) {
  const url = `/api/company/part/${at.pk}/`
  const mayBuy = may('view', 'purchase_order')
  const { data, error, reload } = useRead<{ sold: PageData; breaks?: ListPage<Break> }>({
    sold: withQuery(url, { part_detail: true, supplier_detail: true, manufacturer_detail: true }),
    ...(mayBuy
      ? { breaks: withQuery('/api/company/price-break/', { part: at.pk, ordering: 'quantity', etag: true, limit: 200 }) }
      : {}),
  })
  if (error) return <LoadError error={error} crumbs={[{ text: t('parts.title'), to: '/part/' }]} />
  if (!data) return null
  const { body: sold } = data.sold
  const units = sold.part_detail?.units
  const breaks = data.breaks?.body.results ?? []
  return (
    <SourcedPartPage
      metadata={metadata}
      url={url}
      start={data.sold}
      name={sold.SKU}
      state={!sold.active && <Badge tone="warn">{t('parts.inactive')}</Badge>}
      figures={
        <Figures
          rows={[
            [
              label('supplier'),
              <a key="supplier" href={`/company/${sold.supplier}/`}>
                {sold.supplier_detail?.name}
              </a>,
            ],
            [t('parts.in-stock'), quantity(sold.in_stock, units)],
            [t('parts.pack'), sold.pack_quantity && quantity(sold.pack_quantity_native, units)],
            [t('parts.supplier-has'), sold.available > 0 && number(sold.available)],
          ]}
        />
      }
      fields={FIELDS}
      rows={[
        [
          label('manufacturer'),
          sold.manufacturer_detail && <a href={`/company/${sold.manufacturer_detail.pk}/`}>{sold.manufacturer_detail.name}</a>,
        ],
        [
          label('MPN'),
          sold.manufacturer_part === null ? (
            sold.MPN
          ) : (
            <a key="made" href={`/manufacturer-part/${sold.manufacturer_part}/`}>
              {sold.MPN}
            </a>
          ),
        ],
        [label('description'), sold.description],
        [label('packaging'), sold.packaging],
        [label('note'), sold.note],
        [label('tags'), tagLinks(sold.tags, `/company/${sold.supplier}/?sold.tags__name=`)],
        [label('link'), sold.link && <a href={sold.link}>{sold.link}</a>],
        [t('parts.availability-from'), dateTime(sold.availability_updated)],
      ]}
      deletion={t('parts.delete-sold')}
      reload={reload}
    >
      {mayBuy && (
        <RowsPanel<Break>
          title={t('parts.prices')}
          metadata={breakMetadata}
          rows={breaks}
          columns={BREAKS}
          nameOf={(row) => t('parts.price-of', { price: money(row.price, row.price_currency), quantity: number(row.quantity) })}
          rights={rightsIn('purchase_order')}
          added={{
            title: t('parts.new-price'),
            keys: 'n',
            start: { part: sold.pk, quantity: '1', price: '', price_currency: sold.supplier_detail?.currency || undefined },
            names: ['quantity', 'price', 'price_currency'],
            without: ['part'],
          }}
          emptyText={t('parts.no-price')}
          onChanged={reload}
        />
      )}
    </SourcedPartPage>
  )
}

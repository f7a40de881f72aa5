import facts from 'facts:/api/company/part/'
import breakFacts from 'facts:/api/company/price-break/'
import { useSignal } from '@preact/signals'
import { type Page as ListPage, remove, withQuery } from '../../kit/api.ts'
import { Confirm } from '../../kit/confirm.tsx'
import { useRead } from '../../kit/data.ts'
import { Edit } from '../../kit/edit.tsx'
import { Figures } from '../../kit/figures.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { label, moment, money, number, quantity, t } from '../../kit/language.ts'
import { Menu } from '../../kit/menu.tsx'
import { Badge, Facts, Page, type PageProperties, Panel } from '../../kit/page.tsx'
import { Refused } from '../../kit/refused.tsx'
import { navigate } from '../../kit/router.ts'
import { RowsPanel } from '../../kit/rows-panel.tsx'
import { may } from '../../kit/session.ts'
import type { SheetColumn } from '../../kit/sheet.tsx'
import { rightsIn } from '../orders/lines.tsx'
import type { PriceBreak, SupplierPart } from './part-reading.ts'

type Shown = SupplierPart & {
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

/** `/supplier-part/:pk/`: a part as a supplier sells it, and for how much. */
export function SupplierPartPage({ at }: PageProperties) {
  const url = `/api/company/part/${at.pk}/`
  const mayBuy = may('view', 'purchase_order')
  const { data, refusal, again } = useRead<{ sold: Shown; breaks?: ListPage<Break> }>({
    sold: withQuery(url, { part_detail: true, supplier_detail: true, manufacturer_detail: true }),
    ...(mayBuy
      ? { breaks: withQuery('/api/company/price-break/', { part: at.pk, ordering: 'quantity', etag: true, limit: 200 }) }
      : {}),
  })
  const doing = useSignal<'edit' | 'delete' | undefined>(undefined)
  const start = (what: typeof doing.value) => () => {
    doing.value = what
  }
  const close = start(undefined)
  const done = () => {
    close()
    again()
  }
  const mayChange = may('change', 'part', 'purchase_order')
  useCommands(() => (mayChange ? [{ keys: 'e', label: () => t('edit'), run: start('edit') }] : []), [mayChange])
  const sold = data?.sold.body
  const crumbs = [
    { text: t('parts.title'), to: '/part/' },
    ...(sold ? [{ text: sold.part_detail?.full_name ?? String(sold.part), to: `/part/${sold.part}/` }] : []),
  ]
  if (refusal) return <Refused refusal={refusal} crumbs={crumbs} />
  if (!data || !sold) return null
  const units = sold.part_detail?.units
  const breaks = data.breaks?.body.results ?? []
  const what = doing.value
  const actions = (
    <>
      {mayChange && (
        <button type="button" onClick={start('edit')}>
          <Icon name="edit" />
          {t('edit')}
        </button>
      )}
      {may('delete', 'part', 'purchase_order') && (
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
    <Page
      title={sold.SKU}
      crumbs={crumbs}
      state={!sold.active && <Badge tone="warn">{t('parts.inactive')}</Badge>}
      actions={actions}
    >
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
      <div class="columns">
        <Panel title={what === 'edit' ? t('edit') : undefined}>
          {what === 'edit' ? (
            <Edit
              facts={facts}
              url={url}
              start={data.sold}
              names={FIELDS}
              without={['part', 'barcode_hash']}
              onSaved={done}
              onCancel={close}
            />
          ) : (
            <Facts
              rows={[
                [
                  label('part'),
                  <a key="part" href={`/part/${sold.part}/`}>
                    {sold.part_detail?.full_name}
                  </a>,
                ],
                [
                  label('manufacturer'),
                  sold.manufacturer_detail && (
                    <a href={`/company/${sold.manufacturer_detail.pk}/`}>{sold.manufacturer_detail.name}</a>
                  ),
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
                [label('link'), sold.link && <a href={sold.link}>{sold.link}</a>],
                [t('parts.availability-from'), moment(sold.availability_updated)],
              ]}
            />
          )}
        </Panel>
        {mayBuy && (
          <RowsPanel<Break>
            title={t('parts.prices')}
            facts={breakFacts}
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
            none={t('parts.no-price')}
            onChanged={again}
          />
        )}
      </div>
      {what === 'delete' && (
        <Confirm
          title={t('rows.delete-ask', { name: sold.SKU })}
          button={t('delete')}
          onConfirm={async () => {
            await remove(url, data.sold.etag)
            navigate(`/part/${sold.part}/`, { replace: true })
          }}
          onClose={close}
        >
          <p>{t('parts.delete-sold')}</p>
        </Confirm>
      )}
    </Page>
  )
}

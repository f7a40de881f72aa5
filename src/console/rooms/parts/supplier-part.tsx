import facts from 'facts:/api/company/part/'
import breakFacts from 'facts:/api/company/price-break/'
import { useSignal } from '@preact/signals'
import { type Page as ListPage, post, remove, withQuery } from '../../kit/api.ts'
import type { Column } from '../../kit/column.ts'
import { Confirm } from '../../kit/confirm.tsx'
import { useRead } from '../../kit/data.ts'
import { Edit } from '../../kit/edit.tsx'
import { EditCell } from '../../kit/edit-cell.tsx'
import { Figures } from '../../kit/figures.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { label, moment, money, number, quantity, t } from '../../kit/language.ts'
import { Badge, Facts, Page, type PageProperties, Panel } from '../../kit/page.tsx'
import { Refused } from '../../kit/refused.tsx'
import { may } from '../../kit/session.ts'
import { ShortTable } from '../../kit/short-table.tsx'
import type { PriceBreak, SupplierPart } from './part-reading.ts'

type Shown = SupplierPart & {
  part: number
  part_detail: { full_name: string; units: string | null } | null
  manufacturer_detail: { pk: number; name: string } | null
  supplier_detail: { name: string; currency: string } | null
  in_stock: number
  available: number
  availability_updated: string | null
  packaging: string | null
  note: string | null
}
type Break = PriceBreak & { etag?: string }

const FIELDS = ['SKU', 'supplier', 'description', 'pack_quantity', 'packaging', 'link', 'note', 'available', 'active']

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
  const doing = useSignal<'edit' | 'price' | Break | undefined>(undefined)
  const start = (what: typeof doing.value) => () => {
    doing.value = what
  }
  const close = start(undefined)
  const done = () => {
    close()
    again()
  }
  const mayChange = may('change', 'part', 'purchase_order')
  const mayPrice = may('add', 'purchase_order')
  useCommands(
    () => [
      ...(mayChange ? [{ keys: 'e', label: () => t('edit'), run: start('edit') }] : []),
      ...(mayPrice ? [{ keys: 'n', label: () => t('parts.new-price'), run: start('price') }] : []),
    ],
    [mayChange, mayPrice],
  )
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
  const actions = mayChange && (
    <button type="button" onClick={start('edit')}>
      <Icon name="edit" />
      {t('edit')}
    </button>
  )
  const cell = (name: 'quantity' | 'price', row: Break, shown: string) =>
    may('change', 'purchase_order') ? (
      <EditCell facts={breakFacts} name={name} row={row} onSaved={again} align="end">
        {shown}
      </EditCell>
    ) : (
      shown
    )
  const columns: Column<Break>[] = [
    {
      name: 'quantity',
      title: () => t('parts.packs-from'),
      align: 'end',
      cell: (row) => cell('quantity', row, number(row.quantity)),
    },
    { name: 'price', align: 'end', cell: (row) => cell('price', row, money(row.price, row.price_currency)) },
  ]
  if (may('delete', 'purchase_order'))
    columns.push({
      name: 'delete',
      title: () => t('delete'),
      align: 'end',
      width: '5rem',
      cell: (row) => (
        <button type="button" class="quiet icon-only" aria-label={t('delete')} onClick={start(row)}>
          <Icon name="close" />
        </button>
      ),
    })
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
            <Edit facts={facts} url={url} start={data.sold} names={FIELDS} onSaved={done} onCancel={close} />
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
                [label('MPN'), sold.MPN],
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
          <Panel
            title={t('parts.prices')}
            actions={
              mayPrice && (
                <button type="button" class="quiet" onClick={start('price')}>
                  <Icon name="plus" />
                  {t('parts.new-price')}
                </button>
              )
            }
          >
            {breaks.length > 0 ? (
              <ShortTable title={t('parts.prices')} rows={breaks} columns={columns} />
            ) : (
              <p class="quiet-text">{t('parts.no-price')}</p>
            )}
          </Panel>
        )}
      </div>
      {what === 'price' && (
        <FormDialog<unknown>
          title={t('parts.new-price')}
          facts={breakFacts}
          start={{ part: sold.pk, quantity: '1', price: '', price_currency: sold.supplier_detail?.currency ?? 'EUR' }}
          names={['quantity', 'price', 'price_currency']}
          without={['part']}
          send={(values, key) => post(breakFacts.path, values, key)}
          done={() => t('saved')}
          onDone={done}
          onClose={close}
        />
      )}
      {typeof what === 'object' && (
        <Confirm
          title={t('parts.delete-price', { price: money(what.price, what.price_currency) })}
          button={t('delete')}
          onConfirm={() => remove(`${breakFacts.path}${what.pk}/`, what.etag).then(again)}
          onClose={close}
        />
      )}
    </Page>
  )
}

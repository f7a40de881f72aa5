import { useSignal } from '@preact/signals'
import { get, type Page as ListPage, post, Refusal, remove, withQuery } from '../../kit/api.ts'
import { Attachments } from '../../kit/attachments.tsx'
import { Confirm } from '../../kit/confirm.tsx'
import { useRead } from '../../kit/data.ts'
import { Edit } from '../../kit/edit.tsx'
import { Figures } from '../../kit/figures.tsx'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { date, label, moment, money, quantity, t } from '../../kit/language.ts'
import { Menu } from '../../kit/menu.tsx'
import { Facts, Page, type PageProperties, Panel } from '../../kit/page.tsx'
import { Refused } from '../../kit/refused.tsx'
import { navigate } from '../../kit/router.ts'
import { may } from '../../kit/session.ts'
import { ShortTable } from '../../kit/short-table.tsx'
import { History, type TrackEntry } from './history.tsx'
import { mayDo, OFFERS, type StockAction, StockActionDialog } from './stock-actions.tsx'
import { ELSEWHERE, FIELDS, facts, quantityOf, States, type StockItem, titleOf } from './stock-facts.tsx'

/** How many entries of its history are shown at first, and how many more each time. */
const ENTRIES = 30
/** How many actions have a button; the others are under "More". */
const BUTTONS = 4

type Shown = { item: StockItem; track: ListPage<TrackEntry>; installed: ListPage<StockItem> }

/** `/stock/item/:pk/`: one stock item. */
export function StockItemPage({ at }: PageProperties) {
  const url = `/api/stock/${at.pk}/`
  const shownEntries = useSignal(ENTRIES)
  const { data, refusal, again } = useRead<Shown>({
    item: withQuery(url, { part_detail: true, location_detail: true, supplier_part_detail: true, path_detail: true }),
    track: withQuery('/api/stock/track/', { item: at.pk, user_detail: true, ordering: '-date', limit: shownEntries.value }),
    installed: withQuery('/api/stock/', { belongs_to: at.pk, part_detail: true, limit: 100 }),
  })
  const doing = useSignal<StockAction | 'edit' | 'delete' | 'unlink' | undefined>(undefined)
  const item = data?.item.body
  const offers = item ? OFFERS.filter(({ action, isFor }) => mayDo(action) && isFor(item)) : []
  const mayChange = may('change', 'stock')
  const start = (what: typeof doing.value) => () => {
    doing.value = what
  }
  const close = start(undefined)
  /** After something that may have used it up. */
  const look = () => {
    close()
    get(url).then(again, (error) => {
      if (!(error instanceof Refusal)) throw error
      if (error.status === 404) navigate('/stock/?in_stock=true', { replace: true })
      else again()
    })
  }
  useCommands(
    () => [
      ...offers.map(({ action, title, keys }) => ({ keys, label: () => t(title), run: start(action) })),
      ...(mayChange && item ? [{ keys: 'e', label: () => t('edit'), run: start('edit') }] : []),
    ],
    [offers.map(({ action }) => action).join(), mayChange, item?.pk],
  )
  const crumbs = [
    { text: t('stock.title'), to: '/stock/?in_stock=true' },
    ...(item ? [{ text: item.part_detail?.full_name ?? String(item.part), to: `/part/${item.part}/` }] : []),
  ]
  if (refusal) return <Refused refusal={refusal} crumbs={crumbs} />
  if (!data || !item) return null
  const units = item.part_detail?.units
  const { results: entries, count } = data.track.body
  const installed = data.installed.body.results
  const actions = (
    <>
      {offers.slice(0, BUTTONS).map(({ action, title, icon }, at) => (
        <button key={action} type="button" class={at === 0 ? 'primary' : ''} onClick={start(action)}>
          <Icon name={icon} />
          {t(title)}
        </button>
      ))}
      {(offers.length > BUTTONS || mayChange) && (
        <Menu label={t('more')} icon="menu">
          {offers.slice(BUTTONS).map(({ action, title, icon }) => (
            <button key={action} type="button" class="quiet" onClick={start(action)}>
              <Icon name={icon} />
              {t(title)}
            </button>
          ))}
          {mayChange && (
            <button type="button" class="quiet" onClick={start('edit')}>
              <Icon name="edit" />
              {t('edit')}
            </button>
          )}
          {mayChange && item.barcode_hash && (
            <button type="button" class="quiet" onClick={start('unlink')}>
              <Icon name="close" />
              {t('stock.unlink-code')}
            </button>
          )}
          {may('delete', 'stock') && (
            <button type="button" class="quiet" onClick={start('delete')}>
              <Icon name="close" />
              {t('delete')}
            </button>
          )}
        </Menu>
      )}
    </>
  )
  const what = doing.value
  return (
    <Page title={titleOf(item)} crumbs={crumbs} state={<States item={item} />} actions={actions}>
      <Figures
        rows={[
          [t('stock.here'), quantityOf(item)],
          [t('stock.allocated'), item.allocated > 0 && quantity(item.allocated, units)],
          [t('stock.free'), item.allocated > 0 && quantity(item.quantity - item.allocated, units)],
          [label('location'), <Place key="place" item={item} />],
          [t('stock.unit-price'), money(item.purchase_price, item.purchase_price_currency)],
          [
            t('stock.value'),
            item.purchase_price !== null &&
              item.quantity !== 1 &&
              money(Number(item.purchase_price) * item.quantity, item.purchase_price_currency),
          ],
        ]}
      />
      <div class="columns">
        <div class="stack">
          <Panel title={t('stock.what')}>
            {what === 'edit' ? (
              <Edit
                facts={facts}
                url={url}
                start={data.item}
                names={item.part_detail?.trackable ? ['serial', ...FIELDS] : FIELDS}
                without={ELSEWHERE.filter((name) => name !== 'serial' || !item.part_detail?.trackable)}
                onSaved={() => {
                  close()
                  again()
                }}
                onCancel={close}
              />
            ) : (
              <ItemFacts item={item} />
            )}
          </Panel>
          {installed.length > 0 && (
            <Panel title={t('stock.installed-items')}>
              <ShortTable
                title={t('stock.installed-items')}
                rows={installed}
                columns={[
                  { name: 'part', cell: (inside) => <a href={`/stock/item/${inside.pk}/`}>{titleOf(inside)}</a> },
                  { name: 'quantity', align: 'end', width: '7rem', cell: quantityOf },
                ]}
              />
            </Panel>
          )}
          {item.notes && what !== 'edit' && (
            <Panel title={label('notes')}>
              <p class="notes">{item.notes}</p>
            </Panel>
          )}
          <Attachments
            url="/api/stock/attachment/"
            of={{ stock_item: item.pk }}
            mayAdd={may('add', 'stock')}
            mayDelete={may('delete', 'stock')}
          />
        </div>
        <Panel title={t('stock.history')}>
          <History entries={entries} units={units} />
          {count > entries.length && (
            <button
              type="button"
              class="quiet"
              onClick={() => {
                shownEntries.value += ENTRIES * 2
              }}
            >
              {t('stock.older', { count: count - entries.length })}
            </button>
          )}
        </Panel>
      </div>
      {what && what !== 'edit' && what !== 'delete' && what !== 'unlink' && (
        <StockActionDialog action={what} item={item} onDone={look} onClose={close} />
      )}
      {what === 'unlink' && (
        <Confirm
          title={t('stock.unlink-code')}
          button={t('stock.unlink-code')}
          onConfirm={async () => {
            await post('/api/barcode/unlink/', { stockitem: item.pk })
            again()
          }}
          onClose={close}
        />
      )}
      {what === 'delete' && (
        <Confirm
          title={t('stock.delete', { item: titleOf(item) })}
          button={t('delete')}
          onConfirm={async () => {
            await remove(url, data.item.etag)
            navigate('/stock/?in_stock=true', { replace: true })
          }}
          onClose={close}
        >
          <p>{t('stock.delete-text')}</p>
        </Confirm>
      )}
    </Page>
  )
}

/** Where it is, from the outermost place on; or to what it went. */
function Place({ item }: { item: StockItem }) {
  if (item.belongs_to !== null)
    return <a href={`/stock/item/${item.belongs_to}/`}>{t('stock.inside', { item: item.belongs_to })}</a>
  if (item.customer !== null) return <a href={`/company/${item.customer}/`}>{t('stock.at-customer')}</a>
  if (item.consumed_by !== null) return <a href={`/build/${item.consumed_by}/`}>{t('stock.in-build')}</a>
  const path = item.location_path ?? []
  if (path.length === 0) return <span class="quiet-text">{t('stock.nowhere')}</span>
  return (
    <span class="path">
      {path.map(({ pk, name }) => (
        <a key={pk} href={`/stock/location/${pk}/`}>
          {name}
        </a>
      ))}
    </span>
  )
}

const ItemFacts = ({ item }: { item: StockItem }) => (
  <Facts
    rows={[
      [
        label('part'),
        <a key="part" href={`/part/${item.part}/`}>
          {item.part_detail?.full_name}
        </a>,
      ],
      [label('IPN'), item.part_detail?.IPN],
      [label('serial'), item.serial],
      [label('batch'), item.batch],
      [label('expiry_date'), date(item.expiry_date)],
      [
        label('supplier_part'),
        item.supplier_part_detail && <a href={`/supplier-part/${item.supplier_part}/`}>{item.supplier_part_detail.SKU}</a>,
      ],
      [
        label('purchase_order'),
        item.purchase_order !== null && (
          <a href={`/order/purchase-order/${item.purchase_order}/`}>{item.purchase_order_reference}</a>
        ),
      ],
      [
        label('sales_order'),
        item.sales_order !== null && <a href={`/order/sales-order/${item.sales_order}/`}>{item.sales_order_reference}</a>,
      ],
      [label('build'), item.build !== null && <a href={`/build/${item.build}/`}>{item.build}</a>],
      [label('packaging'), item.packaging],
      [label('stocktake_date'), date(item.stocktake_date)],
      [label('updated'), moment(item.updated)],
      [t('stock.code'), item.barcode_hash && t('stock.has-code')],
      [label('link'), item.link && <a href={item.link}>{item.link}</a>],
    ]}
  />
)

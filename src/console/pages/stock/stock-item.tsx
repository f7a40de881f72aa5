import { useSignal } from '@preact/signals'
import { Attachments } from '../../kit/files/attachments.tsx'
import { Confirm } from '../../kit/form/confirm.tsx'
import { Edit } from '../../kit/form/edit.tsx'
import { tagLinks } from '../../kit/form/tags.tsx'
import { date, dateTime, label, money, number, quantity, t, total } from '../../kit/language/language.ts'
import { useRequestedAction } from '../../kit/navigation/requested-action.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { useActions } from '../../kit/page/actions.tsx'
import { useRead } from '../../kit/page/data.ts'
import { Figures } from '../../kit/page/figures.tsx'
import { Icon } from '../../kit/page/icon.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Notes } from '../../kit/page/notes.tsx'
import { DescriptionList, Page, type PageProperties, Panel } from '../../kit/page/page.tsx'
import { ApiError, get, type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { isFieldVisible } from '../../kit/service/features.ts'
import { remove } from '../../kit/service/saves.ts'
import { may } from '../../kit/service/session.ts'
import { ShortTable } from '../../kit/table/short-table.tsx'
import { minus, times } from '../../kit/values/exact.ts'
import { LinkedOrder } from '../orders/order-cells.tsx'
import type { TrackEntry } from './history.tsx'
import { historyOf, ItemHistory } from './item-history.tsx'
import { OFFERS, type StockAction } from './offers.ts'
import { StockActionDialog } from './stock-actions.tsx'
import { FIELDS, isInStock, quantityOf, SERVICE_PATHS, States, type StockItem, stockMetadata, titleOf } from './stock-details.tsx'
import { AddTestResult, type Test, type TestResult, TestsPanel } from './test-results.tsx'

/** Number of actions with a button; the others are in the menu. */
const BUTTONS = 4
/** Maximum number of installed items shown. */
const MAX_INSTALLED_ITEMS = 100
/** Maximum number of test results loaded, newest first: only the newest of each test count. */
const MAX_TEST_RESULTS = 250

type PageData = {
  item: StockItem
  track: ListPage<TrackEntry>
  installed: ListPage<StockItem>
  results: ListPage<TestResult>
  tests?: ListPage<Test>
  variants?: ListPage<unknown>
}

/** The URLs of the data on the page, which is loaded in one round trip. */
const urlsOf = (pk: string, maySeeParts: boolean): { [Name in keyof PageData]: string } =>
  ({
    item: withQuery(`/api/stock/${pk}/`, {
      part_detail: true,
      location_detail: true,
      supplier_part_detail: true,
      path_detail: true,
    }),
    track: historyOf(pk),
    installed: withQuery('/api/stock/', { belongs_to: pk, part_detail: true, limit: MAX_INSTALLED_ITEMS }),
    results: withQuery('/api/stock/test/', {
      stock_item: pk,
      template_detail: true,
      user_detail: true,
      ordering: '-date',
      etag: true,
      limit: MAX_TEST_RESULTS,
    }),
    ...(maySeeParts
      ? {
          tests: withQuery('/api/part/test-template/', { stock_item: pk, enabled: true, ordering: 'test_name', limit: 250 }),
          variants: withQuery('/api/part/', { convert_item: pk, limit: 1 }),
        }
      : {}),
  }) as { [Name in keyof PageData]: string }

type OpenDialog = { action: StockAction; item: StockItem } | 'edit' | 'delete' | 'test'

/** `/stock/item/:pk/`: one stock item. */
export function StockItemPage({ at }: PageProperties) {
  const url = `/api/stock/${at.pk}/`
  const { data, error: loadError, reload } = useRead<PageData>(urlsOf(at.pk as string, may('view', 'part')))
  const dialog = useSignal<OpenDialog | undefined>(undefined)
  const item = data?.item.body
  const installed = data?.installed.body.results ?? []
  const seen = { etag: data?.item.etag, reload }
  const context = { isConvertible: (data?.variants?.body.count ?? 0) > 0, installed, seen }
  const tests = data?.tests?.body.results ?? []
  const isTested = item?.part_detail?.trackable === true || tests.length > 0 || (data?.results.body.count ?? 0) > 0
  const start = (openDialog: typeof dialog.value) => () => {
    dialog.value = openDialog
  }
  const close = start(undefined)
  /** Closes the dialog after an action that may have depleted the item, and checks whether the item still exists. */
  const look = () => {
    close()
    get(url).then(reload, (error) => {
      if (!(error instanceof ApiError)) throw error
      // the stock list of its part shows what it became, or what is left
      if (error.status === 404) navigate(`/stock/?in_stock=true&part=${item?.part}`, { replace: true })
      else reload()
    })
  }
  const status = OFFERS.find(({ action }) => action === 'status')
  useRequestedAction('status', item !== undefined && status?.isAllowed() === true && status.isFor(item, context), () => {
    if (item) dialog.value = { action: 'status', item }
  })
  const actions = useActions(
    item
      ? [
          ...OFFERS.filter(({ isAllowed, isFor }) => isAllowed() && isFor(item, context)).map(
            ({ action, title, keys, icon }) => ({
              title: t(title),
              keys,
              icon,
              run: start({ action, item }),
            }),
          ),
          isTested && may('add', 'stock') && { title: t('stock.test-add'), keys: 't', icon: 'check', run: start('test') },
          may('change', 'stock') && { title: t('edit'), keys: 'e', icon: 'edit', run: start('edit') },
          may('delete', 'stock') && { title: t('delete'), keys: 'Shift+D', icon: 'trash', run: start('delete') },
        ]
      : [],
    BUTTONS,
  )
  const crumbs = [
    { text: t('stock.title'), to: '/stock/?in_stock=true' },
    ...(item ? [{ text: item.part_detail?.full_name ?? String(item.part), to: `/part/${item.part}/` }] : []),
  ]
  if (loadError) return <LoadError error={loadError} crumbs={crumbs} />
  if (!data || !item) return null
  const units = item.part_detail?.units
  const openDialog = dialog.value
  return (
    <Page title={titleOf(item)} crumbs={crumbs} state={<States item={item} />} actions={actions}>
      <Figures
        rows={[
          [t('stock.here'), quantityOf(item)],
          [t('stock.allocated'), item.allocated > 0 && quantity(item.allocated, units)],
          [t('stock.free'), item.allocated > 0 && isInStock(item) && quantity(minus(item.quantity, item.allocated), units)],
          [label('location'), <ItemLocation key="place" item={item} />],
          [t('stock.unit-price'), money(item.purchase_price, item.purchase_price_currency)],
          [
            t('stock.value'),
            item.purchase_price !== null &&
              item.quantity !== 1 &&
              total(times(item.purchase_price, item.quantity), item.purchase_price_currency),
          ],
        ]}
      />
      <div class="columns">
        <div class="stack">
          <Panel title={t('stock.what')}>
            {openDialog === 'edit' ? (
              <Edit
                metadata={stockMetadata}
                url={url}
                start={data.item}
                names={item.part_detail?.trackable ? ['serial', ...FIELDS] : FIELDS}
                without={SERVICE_PATHS.filter((name) => name !== 'serial' || !item.part_detail?.trackable)}
                onSaved={() => {
                  close()
                  reload()
                }}
                onCancel={close}
              />
            ) : (
              <ItemDetails item={item} />
            )}
          </Panel>
          {installed.length > 0 && (
            <Installed
              items={installed}
              total={data.installed.body.count}
              onUninstall={(inside) =>
                start({ action: 'uninstall', item: { ...inside, location: inside.location ?? item.location } })()
              }
            />
          )}
          {isTested && <TestsPanel tests={tests} results={data.results.body} onAdd={start('test')} reload={reload} />}
          {item.notes && openDialog !== 'edit' && (
            <Panel title={label('notes')}>
              <Notes text={item.notes} />
            </Panel>
          )}
          <Attachments
            url="/api/stock/attachment/"
            of={{ stock_item: item.pk }}
            mayAdd={may('add', 'stock')}
            mayDelete={may('delete', 'stock')}
          />
        </div>
        <ItemHistory item={item.pk} newest={data.track.body} units={units} />
      </div>
      {typeof openDialog === 'object' && (
        <StockActionDialog
          action={openDialog.action}
          items={[openDialog.item]}
          context={openDialog.item.pk === item.pk ? context : undefined}
          onDone={look}
          onClose={close}
        />
      )}
      {openDialog === 'test' && (
        <AddTestResult
          item={item.pk}
          tests={tests}
          results={data.results.body.results}
          onDone={() => {
            close()
            reload()
          }}
          onClose={close}
        />
      )}
      {openDialog === 'delete' && (
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
          {item.installed_items > 0 && <p class="problem">{t('stock.delete-installed')}</p>}
        </Confirm>
      )}
    </Page>
  )
}

type InstalledProperties = { items: readonly StockItem[]; total: number; onUninstall: (item: StockItem) => void }

/** The items installed in an item, with an action to uninstall them. */
function Installed({ items, total, onUninstall }: InstalledProperties) {
  const mayTakeOut = may('add', 'stock') && may('view', 'stock_location')
  return (
    <Panel title={t('stock.installed-items')}>
      <ShortTable
        title={t('stock.installed-items')}
        rows={items}
        columns={[
          { name: 'part', cell: (inside) => <a href={`/stock/item/${inside.pk}/`}>{titleOf(inside)}</a> },
          { name: 'quantity', align: 'end', width: '7rem', cell: quantityOf },
          ...(mayTakeOut
            ? [
                {
                  name: 'end',
                  title: () => '',
                  width: '3rem',
                  cell: (inside: StockItem) => (
                    <button
                      type="button"
                      class="quiet icon-only"
                      aria-label={t('stock.take-out-of', { item: titleOf(inside) })}
                      title={t('stock.take-out-of', { item: titleOf(inside) })}
                      onClick={() => onUninstall(inside)}
                    >
                      <Icon name="undo" />
                    </button>
                  ),
                },
              ]
            : []),
        ]}
      />
      {total > items.length && (
        <p class="quiet-text">{t('stock.installed-cut', { count: number(items.length), all: number(total) })}</p>
      )}
    </Panel>
  )
}

/** Its location, from the outermost one on; or the item, customer or build order that has it. */
function ItemLocation({ item }: { item: StockItem }) {
  if (item.belongs_to !== null)
    return <a href={`/stock/item/${item.belongs_to}/`}>{t('stock.inside', { item: item.belongs_to })}</a>
  if (item.customer !== null) return <Customer pk={item.customer} />
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

/** The customer that has it. */
function Customer({ pk }: { pk: number }) {
  const { data } = useRead<{ company?: { name: string } }>({ company: `/api/company/${pk}/` }, ['company'])
  const name = data?.company?.body.name
  return <a href={`/company/${pk}/`}>{name ? t('stock.at', { customer: name }) : t('stock.at-customer')}</a>
}

const ItemDetails = ({ item }: { item: StockItem }) => (
  <DescriptionList
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
      [label('expiry_date'), isFieldVisible('expiry_date') && date(item.expiry_date)],
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
      [
        label('build'),
        item.build !== null && (
          <LinkedOrder key="build" api="/api/build/" at={item.build} to="/build/" title={t('builds.parent')} />
        ),
      ],
      [label('packaging'), item.packaging],
      [label('tags'), tagLinks(item.tags, '/stock/?tags__name=')],
      [label('stocktake_date'), date(item.stocktake_date)],
      [label('updated'), dateTime(item.updated)],
      [t('stock.code'), item.barcode_hash && t('stock.has-code')],
      [label('link'), item.link && <a href={item.link}>{item.link}</a>],
    ]}
  />
)

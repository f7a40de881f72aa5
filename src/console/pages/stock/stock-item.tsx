import { useSignal } from '@preact/signals'
import { Attachments } from '../../kit/files/attachments.tsx'
import { Confirm } from '../../kit/form/confirm.tsx'
import { Edit } from '../../kit/form/edit.tsx'
import { renderTagLinks } from '../../kit/form/tags.tsx'
import {
  formatDate,
  formatDateTime,
  formatMoney,
  formatNumber,
  formatTotal,
  formatWithUnit,
  label,
  t,
} from '../../kit/language/language.ts'
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
import { hasPermission } from '../../kit/service/session.ts'
import { ShortTable } from '../../kit/table/short-table.tsx'
import { multiply, subtract } from '../../kit/values/exact.ts'
import { LinkedOrder } from '../orders/order-cells.tsx'
import type { TrackEntry } from './history.tsx'
import { getHistoryUrl, ItemHistory } from './item-history.tsx'
import { STOCK_ACTIONS, type StockAction } from './offers.ts'
import { StockActionDialog } from './stock-actions.tsx'
import {
  EXCLUDED_FIELDS,
  FIELDS,
  formatItemQuantity,
  formatItemTitle,
  isInStock,
  StatusBadges,
  type StockItem,
  stockMetadata,
} from './stock-details.tsx'
import { AddTestResult, type Test, type TestResult, TestsPanel } from './test-results.tsx'

/** Maximum number of actions with a button; the others are in the menu. */
const MAX_BUTTONS = 4
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
const getItemUrls = (pk: string, canViewParts: boolean): { [Name in keyof PageData]: string } =>
  ({
    item: withQuery(`/api/stock/${pk}/`, {
      part_detail: true,
      location_detail: true,
      supplier_part_detail: true,
      path_detail: true,
    }),
    track: getHistoryUrl({ item: pk }),
    installed: withQuery('/api/stock/', { belongs_to: pk, part_detail: true, limit: MAX_INSTALLED_ITEMS }),
    results: withQuery('/api/stock/test/', {
      stock_item: pk,
      template_detail: true,
      user_detail: true,
      ordering: '-date',
      etag: true,
      limit: MAX_TEST_RESULTS,
    }),
    ...(canViewParts
      ? {
          tests: withQuery('/api/part/test-template/', { stock_item: pk, enabled: true, ordering: 'test_name', limit: 250 }),
          variants: withQuery('/api/part/', { convert_item: pk, limit: 1 }),
        }
      : {}),
  }) as { [Name in keyof PageData]: string }

type OpenDialog = { action: StockAction; item: StockItem } | 'edit' | 'delete' | 'test'

/** `/stock/item/:pk/`: one stock item. */
export function StockItemPage({ params }: PageProperties) {
  const url = `/api/stock/${params.pk}/`
  const { data, error: loadError, reload } = useRead<PageData>(getItemUrls(params.pk as string, hasPermission('view', 'part')))
  const dialog = useSignal<OpenDialog | undefined>(undefined)
  const item = data?.item.body
  const installed = data?.installed.body.results ?? []
  const loaded = { etag: data?.item.etag, reload }
  const context = { isConvertible: (data?.variants?.body.count ?? 0) > 0, installed, loaded }
  const tests = data?.tests?.body.results ?? []
  const isTested = item?.part_detail?.trackable === true || tests.length > 0 || (data?.results.body.count ?? 0) > 0
  const show = (openDialog: typeof dialog.value) => () => {
    dialog.value = openDialog
  }
  const close = show(undefined)
  /** Closes the dialog after an action that may have depleted the item, and checks whether the item still exists. */
  const closeAndReload = () => {
    close()
    get(url).then(reload, (error) => {
      if (!(error instanceof ApiError)) throw error
      // the stock list of its part shows the items that it became, or what is left
      if (error.status === 404) navigate(`/stock/?in_stock=true&part=${item?.part}`, { replace: true })
      else reload()
    })
  }
  const status = STOCK_ACTIONS.find(({ action }) => action === 'status')
  useRequestedAction('status', item !== undefined && status?.isAllowed() === true && status.isFor(item, context), () => {
    if (item) dialog.value = { action: 'status', item }
  })
  const actions = useActions(
    item
      ? [
          ...STOCK_ACTIONS.filter(({ isAllowed, isFor }) => isAllowed() && isFor(item, context)).map(
            ({ action, title, keys, icon }) => ({
              title: t(title),
              keys,
              icon,
              run: show({ action, item }),
            }),
          ),
          isTested &&
            hasPermission('add', 'stock') && { title: t('stock.test-add'), keys: 't', icon: 'check', run: show('test') },
          hasPermission('change', 'stock') && { title: t('edit'), keys: 'e', icon: 'edit', run: show('edit') },
          hasPermission('delete', 'stock') && { title: t('delete'), keys: 'Shift+D', icon: 'trash', run: show('delete') },
        ]
      : [],
    MAX_BUTTONS,
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
    <Page title={formatItemTitle(item)} crumbs={crumbs} state={<StatusBadges item={item} />} actions={actions}>
      <Figures
        rows={[
          [t('stock.current-quantity'), formatItemQuantity(item)],
          [t('stock.allocated'), item.allocated > 0 && formatWithUnit(item.allocated, units)],
          [
            t('stock.available'),
            item.allocated > 0 && isInStock(item) && formatWithUnit(subtract(item.quantity, item.allocated), units),
          ],
          [label('location'), <ItemLocation key="place" item={item} />],
          [t('stock.unit-price'), formatMoney(item.purchase_price, item.purchase_price_currency)],
          [
            t('stock.value'),
            item.purchase_price !== null &&
              item.quantity !== 1 &&
              formatTotal(multiply(item.purchase_price, item.quantity), item.purchase_price_currency),
          ],
        ]}
      />
      <div class="columns">
        <div class="stack">
          <Panel title={t('stock.item-column')}>
            {openDialog === 'edit' ? (
              <Edit
                metadata={stockMetadata}
                url={url}
                start={data.item}
                names={item.part_detail?.trackable ? ['serial', ...FIELDS] : FIELDS}
                without={EXCLUDED_FIELDS.filter((name) => name !== 'serial' || !item.part_detail?.trackable)}
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
              onUninstall={(installedItem) =>
                show({ action: 'uninstall', item: { ...installedItem, location: installedItem.location ?? item.location } })()
              }
            />
          )}
          {isTested && <TestsPanel tests={tests} results={data.results.body} onAdd={show('test')} reload={reload} />}
          {item.notes && openDialog !== 'edit' && (
            <Panel title={label('notes')}>
              <Notes text={item.notes} />
            </Panel>
          )}
          <Attachments
            model="stockitem"
            pk={item.pk}
            canAdd={hasPermission('add', 'stock')}
            canDelete={hasPermission('delete', 'stock')}
          />
        </div>
        <ItemHistory source={{ item: item.pk }} newest={data.track.body} units={units} />
      </div>
      {typeof openDialog === 'object' && (
        <StockActionDialog
          action={openDialog.action}
          items={[openDialog.item]}
          context={openDialog.item.pk === item.pk ? context : undefined}
          onDone={closeAndReload}
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
          title={t('stock.delete', { item: formatItemTitle(item) })}
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
  const canUninstall = hasPermission('add', 'stock') && hasPermission('view', 'stock_location')
  return (
    <Panel title={t('stock.installed-items')}>
      <ShortTable
        title={t('stock.installed-items')}
        rows={items}
        columns={[
          {
            name: 'part',
            cell: (installedItem) => <a href={`/stock/item/${installedItem.pk}/`}>{formatItemTitle(installedItem)}</a>,
          },
          { name: 'quantity', align: 'end', width: '7rem', cell: formatItemQuantity },
          ...(canUninstall
            ? [
                {
                  name: 'end',
                  title: () => '',
                  width: '3rem',
                  cell: (installedItem: StockItem) => (
                    <button
                      type="button"
                      class="quiet icon-only"
                      aria-label={t('stock.uninstall-item', { item: formatItemTitle(installedItem) })}
                      title={t('stock.uninstall-item', { item: formatItemTitle(installedItem) })}
                      onClick={() => onUninstall(installedItem)}
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
        <p class="quiet-text">{t('stock.installed-shown', { count: formatNumber(items.length), all: formatNumber(total) })}</p>
      )}
    </Panel>
  )
}

/** Its location, from the outermost one on; or the item, customer or build order that has it. */
function ItemLocation({ item }: { item: StockItem }) {
  if (item.belongs_to !== null)
    return <a href={`/stock/item/${item.belongs_to}/`}>{t('stock.installed-in', { item: item.belongs_to })}</a>
  if (item.customer !== null) return <Customer pk={item.customer} />
  if (item.consumed_by !== null) return <a href={`/build/${item.consumed_by}/`}>{t('stock.consumed-by-build')}</a>
  const path = item.location_path ?? []
  if (path.length === 0) return <span class="quiet-text">{t('stock.no-location')}</span>
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
      [label('expiry_date'), isFieldVisible('expiry_date') && formatDate(item.expiry_date)],
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
          <LinkedOrder key="build" apiPath="/api/build/" pk={item.build} pagePath="/build/" title={t('builds.parent')} />
        ),
      ],
      [label('packaging'), item.packaging],
      [label('tags'), renderTagLinks(item.tags, '/stock/?tags__name=')],
      [label('stocktake_date'), formatDate(item.stocktake_date)],
      [label('updated'), formatDateTime(item.updated)],
      [t('stock.barcode'), item.barcode_hash && t('stock.barcode-linked')],
      [label('link'), item.link && <a href={item.link}>{item.link}</a>],
    ]}
  />
)

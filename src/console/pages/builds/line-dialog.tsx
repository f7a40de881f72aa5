import itemMetadata from 'metadata:/api/build/item/'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { EditableGrid, type GridColumn } from '../../kit/grid/grid.tsx'
import { formatWithUnit, t } from '../../kit/language/language.ts'
import { useRead } from '../../kit/page/data.ts'
import { Figures } from '../../kit/page/figures.tsx'
import { Icon } from '../../kit/page/icon.tsx'
import { attempt, showToast } from '../../kit/page/toast.tsx'
import { type ApiResponse, type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { remove } from '../../kit/service/saves.ts'
import { hasPermission } from '../../kit/service/session.ts'
import { calculateConsumed } from '../../kit/values/consumed-quantity.ts'
import { compare, subtract, sumAmounts } from '../../kit/values/exact.ts'
import { Dialog } from '../../kit/window/dialog.tsx'
import { AvailableQuantity } from '../stock/available-quantity.tsx'
import type { StockItem } from '../stock/stock-details.tsx'
import { getUsableStockUrls } from '../stock/usable-stock.ts'
import {
  type Build,
  type BuildItem,
  type BuildLine,
  calculateShortage,
  calculateUnallocated,
  formatOutputName,
  getExcessWarning,
  isActive,
  type Output,
} from './build-details.ts'
import { LineAllocation, MAX_OFFERED_ITEMS } from './line-allocation.tsx'

type PageData = {
  line: BuildLine
  allocations: ListPage<BuildItem>
  available?: ListPage<StockItem>
  /** Expired stock, if it may not be used. */
  expired?: ListPage<StockItem>
}

type Properties = {
  build: Build
  /** Key of the line. */
  pk: string
  /** Key of its BOM line, which finds matching stock; without it, the line is loaded first. */
  bomItem: string | undefined
  outputs: readonly Output[]
  /** Called after stock was allocated or released. */
  onChanged: () => void
  /** Opens a new build order for that quantity of a component. */
  onBuild: (part: number, quantity: number) => void
  onClose: () => void
}

/** A line of a build order: its allocations, and stock to allocate more by hand. */
export function LineDialog({ build, pk, bomItem: initialBomItem, outputs, onChanged, onBuild, onClose }: Properties) {
  const isEverywhere = useSignal(build.take_from === null)
  const isOpen = isActive(build)
  const bomItem = useSignal(initialBomItem)
  const location = isEverywhere.value ? undefined : (build.take_from ?? undefined)
  const [availableUrl, expiredUrl] = getUsableStockUrls({ bom_item: bomItem.value, location }, 'BUILD', MAX_OFFERED_ITEMS)
  const { data, error, reload } = useRead<PageData>({
    line: `/api/build/line/${pk}/?flawed_stock=true&incoming=true&build_detail=true`,
    allocations: withQuery('/api/build/item/', {
      build_line: pk,
      part_detail: true,
      stock_detail: true,
      location_detail: true,
      etag: true,
      limit: 500,
    }),
    ...(bomItem.value !== undefined && hasPermission('view', 'stock')
      ? {
          available: availableUrl,
          ...(expiredUrl === undefined ? {} : { expired: expiredUrl }),
        }
      : {}),
  })
  const line = data?.line.body
  const offered = useMemo(() => [data?.available, data?.expired].flatMap((page) => page?.body.results ?? []), [data])
  useEffect(() => {
    if (line) bomItem.value = String(line.bom_item)
  }, [line?.bom_item])
  const units = line?.part_detail?.units
  const title = line?.part_detail?.full_name ?? t('builds.line')
  const reloadAll = () => {
    reload()
    onChanged()
  }
  const canAllocate = isOpen && hasPermission('add', 'build') && !line?.bom_item_detail?.consumable
  const component = line?.part_detail
  const incoming = line?.incoming ?? 0
  return (
    <Dialog title={title} onClose={onClose} size="wide">
      {error && <p class="problem">{error.message}</p>}
      {data && line && (
        <>
          <Figures
            rows={[
              [t('builds.required'), formatWithUnit(line.quantity, units)],
              [t('builds.allocated'), isOpen && formatWithUnit(line.allocated, units)],
              [
                t('builds.consumed'),
                isOpen && compare(calculateConsumed(line), 0) > 0 && formatWithUnit(calculateConsumed(line), units),
              ],
              [
                t('builds.to-allocate'),
                isOpen && calculateUnallocated(line) > 0 && formatWithUnit(calculateUnallocated(line), units),
              ],
              [
                t('builds.shortage'),
                isOpen && calculateShortage(line) > 0 && formatWithUnit(calculateShortage(line), units),
                'bad',
              ],
              [
                t('parts.available'),
                <AvailableQuantity key="free" units={units} flaws={line.flawed_stock}>
                  {formatWithUnit(line.total_available_stock, units)}
                </AvailableQuantity>,
              ],
              [t('parts.on-order'), incoming > 0 && formatWithUnit(incoming, units)],
              [t('parts.in-production'), line.in_production > 0 && formatWithUnit(line.in_production, units)],
            ]}
          />
          {line.bom_item_detail?.consumable && <p class="quiet-text">{t('builds.consumable-text')}</p>}
          <AllocatedItems
            line={line}
            rows={data.allocations.body.results}
            total={data.allocations.body.count}
            outputs={outputs}
            canChange={isOpen && hasPermission('change', 'build')}
            canRelease={isOpen && hasPermission('delete', 'build')}
            onChanged={reloadAll}
          />
          {canAllocate && data.available && (
            <LineAllocation
              key={`${isEverywhere.value}`}
              build={build}
              line={line}
              items={offered}
              total={data.available.body.count + (data.expired?.body.count ?? 0)}
              outputs={outputs}
              allocated={data.allocations.body.results}
              onDone={(isMore) => {
                if (isMore) return reloadAll()
                onChanged()
                onClose()
              }}
              onRejected={reloadAll}
              onClose={onClose}
            >
              {build.take_from !== null && (
                <label class="checkbox-line">
                  <input
                    type="checkbox"
                    checked={isEverywhere.value}
                    onChange={(event) => {
                      isEverywhere.value = event.currentTarget.checked
                    }}
                  />
                  {t('builds.other-locations')}
                </label>
              )}
            </LineAllocation>
          )}
          {isOpen && component?.assembly && component.active && calculateShortage(line) > 0 && hasPermission('add', 'build') && (
            <p class="buttons">
              <button type="button" onClick={() => onBuild(component.pk, calculateShortage(line))}>
                <Icon name="wrench" />
                {t('builds.build-shortage')}
              </button>
            </p>
          )}
        </>
      )}
    </Dialog>
  )
}

type AllocatedItemsProperties = {
  line: BuildLine
  rows: readonly BuildItem[]
  total: number
  outputs: readonly Output[]
  canChange: boolean
  canRelease: boolean
  onChanged: () => void
}

/** The allocations of a line: their quantity is edited in place, and a button releases them. */
function AllocatedItems({ line, rows, total, outputs, canChange, canRelease, onChanged }: AllocatedItemsProperties) {
  if (rows.length === 0) return null
  const release = async (item: BuildItem) => {
    if (await attempt(() => remove(`${itemMetadata.path}${item.pk}/`, item.etag))) showToast(t('builds.released'))
    onChanged()
  }
  const formatItemName = ({ stock_item, stock_item_detail }: BuildItem) =>
    stock_item_detail?.serial ? `#${stock_item_detail.serial}` : t('sales.item', { item: stock_item })
  const columns: GridColumn<BuildItem>[] = [
    {
      name: 'stock_item',
      title: () => t('builds.from'),
      cell: (item) => (
        <>
          <a class="item-name" href={`/stock/item/${item.stock_item}/`}>
            {formatItemName(item)}
          </a>{' '}
          <small>{[item.part_detail?.full_name, item.location_detail?.pathstring].filter(Boolean).join(' · ')}</small>
        </>
      ),
    },
    {
      name: 'install_into',
      title: () => t('builds.into'),
      isWide: true,
      cell: ({ install_into }) => {
        const output = outputs.find(({ pk }) => pk === install_into)
        return install_into === null ? '' : output ? formatOutputName(output) : install_into
      },
    },
    {
      name: 'quantity',
      title: () => t('builds.allocated'),
      align: 'end',
      width: '8rem',
      cell: (item) => formatWithUnit(item.quantity, item.part_detail?.units),
      edit: true,
      getWarning: (item, newValue) =>
        getExcessWarning(line, sumAmounts([subtract(line.allocated, item.quantity), String(newValue)]), line.quantity),
      isOpen: ({ stock_item_detail }) => !stock_item_detail?.serial,
    },
  ]
  return (
    <>
      <h3>{t('builds.allocated')}</h3>
      <EditableGrid<BuildItem>
        metadata={itemMetadata}
        title={t('builds.allocated')}
        rows={rows}
        columns={columns}
        canChange={canChange}
        onRow={(_: ApiResponse<BuildItem>) => onChanged()}
        isSecondary
        end={
          canRelease
            ? (item) => (
                <button
                  type="button"
                  class="quiet icon-only"
                  aria-label={t('builds.release-item', { item: formatItemName(item) })}
                  title={t('builds.release-item', { item: formatItemName(item) })}
                  onClick={() => release(item)}
                >
                  <Icon name="close" />
                </button>
              )
            : undefined
        }
      />
      {total > rows.length && <p class="quiet-text">{t('parts.and-more', { count: total - rows.length })}</p>}
    </>
  )
}

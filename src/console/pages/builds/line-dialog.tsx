import itemMetadata from 'metadata:/api/build/item/'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Sheet, type SheetColumn } from '../../kit/grid/grid.tsx'
import { quantity, t } from '../../kit/language/language.ts'
import { useRead } from '../../kit/page/data.ts'
import { Figures } from '../../kit/page/figures.tsx'
import { Icon } from '../../kit/page/icon.tsx'
import { attempt, showToast } from '../../kit/page/toast.tsx'
import { type ApiResponse, type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { remove } from '../../kit/service/saves.ts'
import { may } from '../../kit/service/session.ts'
import { builtIn } from '../../kit/values/built-in.ts'
import { compare, minus, sum } from '../../kit/values/exact.ts'
import { Dialog } from '../../kit/window/dialog.tsx'
import { Free } from '../stock/free.tsx'
import type { StockItem } from '../stock/stock-details.tsx'
import {
  type Build,
  type BuildItem,
  type BuildLine,
  excessWarning,
  isActive,
  missingQuantity,
  type Output,
  outputName,
} from './build-details.ts'
import { LineAllocation, MAX_OFFERED } from './line-allocation.tsx'

type PageData = { line: BuildLine; allocations: ListPage<BuildItem>; free?: ListPage<StockItem> }

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
    ...(bomItem.value !== undefined && may('view', 'stock')
      ? {
          free: withQuery('/api/stock/', {
            bom_item: bomItem.value,
            in_stock: true,
            available: true,
            part_detail: true,
            location_detail: true,
            location: isEverywhere.value ? undefined : (build.take_from ?? undefined),
            ordering: 'expiry_date',
            limit: MAX_OFFERED,
          }),
        }
      : {}),
  })
  const line = data?.line.body
  useEffect(() => {
    if (line) bomItem.value = String(line.bom_item)
  }, [line?.bom_item])
  const units = line?.part_detail?.units
  const title = line?.part_detail?.full_name ?? t('builds.line')
  const changed = () => {
    reload()
    onChanged()
  }
  const mayPut = isOpen && may('add', 'build') && !line?.bom_item_detail?.consumable
  const component = line?.part_detail
  const incoming = line?.incoming ?? 0
  return (
    <Dialog title={title} onClose={onClose} size="wide">
      {error && <p class="problem">{error.message}</p>}
      {data && line && (
        <>
          <Figures
            rows={[
              [t('builds.needed'), quantity(line.quantity, units)],
              [t('builds.put-by'), isOpen && quantity(line.allocated, units)],
              [t('builds.is-built-in'), isOpen && compare(builtIn(line), 0) > 0 && quantity(builtIn(line), units)],
              [t('builds.lacks'), isOpen && missingQuantity(line) > 0 && quantity(missingQuantity(line), units), 'bad'],
              [
                t('parts.free'),
                <Free key="free" units={units} flaws={line.flawed_stock}>
                  {quantity(line.total_available_stock, units)}
                </Free>,
              ],
              [t('parts.on-order'), incoming > 0 && quantity(incoming, units)],
              [t('parts.in-production'), line.in_production > 0 && quantity(line.in_production, units)],
            ]}
          />
          {line.bom_item_detail?.consumable && <p class="quiet-text">{t('builds.consumable-text')}</p>}
          <AllocatedItems
            line={line}
            rows={data.allocations.body.results}
            total={data.allocations.body.count}
            outputs={outputs}
            mayChange={isOpen && may('change', 'build')}
            mayRelease={isOpen && may('delete', 'build')}
            onChanged={changed}
          />
          {mayPut && data.free && (
            <LineAllocation
              key={`${isEverywhere.value}`}
              build={build}
              line={line}
              items={data.free.body.results}
              total={data.free.body.count}
              outputs={outputs}
              allocated={data.allocations.body.results}
              onDone={(isMore) => {
                if (isMore) return changed()
                onChanged()
                onClose()
              }}
              onRejected={changed}
              onClose={onClose}
            >
              {build.take_from !== null && (
                <label class="tick-line">
                  <input
                    type="checkbox"
                    checked={isEverywhere.value}
                    onChange={(event) => {
                      isEverywhere.value = event.currentTarget.checked
                    }}
                  />
                  {t('builds.elsewhere')}
                </label>
              )}
            </LineAllocation>
          )}
          {isOpen &&
            component?.assembly &&
            component.active &&
            missingQuantity(line) > line.total_available_stock &&
            may('add', 'build') && (
              <p class="buttons">
                <button
                  type="button"
                  onClick={() =>
                    onBuild(component.pk, Number(minus(missingQuantity(line), Math.max(0, line.total_available_stock))))
                  }
                >
                  <Icon name="wrench" />
                  {t('builds.build-it')}
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
  mayChange: boolean
  mayRelease: boolean
  onChanged: () => void
}

/** The allocations of a line: their quantity is edited in place, and a button releases them. */
function AllocatedItems({ line, rows, total, outputs, mayChange, mayRelease, onChanged }: AllocatedItemsProperties) {
  if (rows.length === 0) return null
  const release = async (item: BuildItem) => {
    if (await attempt(() => remove(`${itemMetadata.path}${item.pk}/`, item.etag))) showToast(t('builds.freed'))
    onChanged()
  }
  const nameOf = ({ stock_item, stock_item_detail }: BuildItem) =>
    stock_item_detail?.serial ? `#${stock_item_detail.serial}` : t('sales.item', { item: stock_item })
  const columns: SheetColumn<BuildItem>[] = [
    {
      name: 'stock_item',
      title: () => t('builds.from'),
      cell: (item) => (
        <>
          <a class="item-name" href={`/stock/item/${item.stock_item}/`}>
            {nameOf(item)}
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
        return install_into === null ? '' : output ? outputName(output) : install_into
      },
    },
    {
      name: 'quantity',
      title: () => t('builds.put-by'),
      align: 'end',
      width: '8rem',
      cell: (item) => quantity(item.quantity, item.part_detail?.units),
      edit: true,
      getWarning: (item, newValue) =>
        excessWarning(line, sum([minus(line.allocated, item.quantity), String(newValue)]), line.quantity),
      isOpen: ({ stock_item_detail }) => !stock_item_detail?.serial,
    },
  ]
  return (
    <>
      <h3>{t('builds.put-by')}</h3>
      <Sheet<BuildItem>
        metadata={itemMetadata}
        title={t('builds.put-by')}
        rows={rows}
        columns={columns}
        mayChange={mayChange}
        onRow={(_: ApiResponse<BuildItem>) => onChanged()}
        isSecondary
        end={
          mayRelease
            ? (item) => (
                <button
                  type="button"
                  class="quiet icon-only"
                  aria-label={t('builds.free-one', { item: nameOf(item) })}
                  title={t('builds.free-one', { item: nameOf(item) })}
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

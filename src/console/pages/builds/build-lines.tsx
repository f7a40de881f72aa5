import { formatWithUnit, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Badge, Empty } from '../../kit/page/page.tsx'
import { Thumbnail } from '../../kit/page/thumbnail.tsx'
import type { Column } from '../../kit/table/column.ts'
import { Table } from '../../kit/table/table.tsx'
import type { Rows } from '../../kit/table/table-rows.ts'
import { calculateConsumed } from '../../kit/values/consumed-quantity.ts'
import { compare } from '../../kit/values/exact.ts'
import { AvailableQuantity } from '../stock/available-quantity.tsx'
import {
  type Build,
  type BuildLine,
  buildLineMetadata,
  calculateShortage,
  calculateUnallocated,
  isActive,
  isShort,
} from './build-details.ts'

/** Wide enough for a quantity with five decimals and its unit, if there is room. */
const QUANTITY_WIDTH = 'clamp(7rem, 10.4vw, 10.4rem)'

const formatIfAny = (quantity: number, { part_detail }: BuildLine): string =>
  quantity > 0 ? formatWithUnit(quantity, part_detail?.units) : ''

const columns: readonly Column<BuildLine>[] = [
  {
    name: 'part',
    title: () => t('builds.component'),
    cell: (line) => (
      <>
        <Thumbnail url={line.part_detail?.thumbnail} />
        <a href={`/part/${line.part_detail?.pk}/`}>{line.part_detail?.full_name}</a>{' '}
        {line.bom_item_detail?.optional && <Badge>{t('parts.optional')}</Badge>}{' '}
        {line.bom_item_detail?.consumable && <Badge>{t('parts.consumable')}</Badge>}{' '}
        {compare(calculateConsumed(line), 0) > 0 && (
          <Badge tone="good">
            {t('builds.consumed-quantity', { amount: formatWithUnit(calculateConsumed(line), line.part_detail?.units) })}
          </Badge>
        )}
      </>
    ),
  },
  { name: 'reference', width: '7rem', isWide: true, cell: ({ bom_item_detail }) => bom_item_detail?.reference },
  {
    name: 'quantity',
    title: () => t('builds.required'),
    width: QUANTITY_WIDTH,
    align: 'end',
    isWide: true,
    cell: (line) => formatWithUnit(line.quantity, line.part_detail?.units),
  },
  {
    name: 'allocated',
    title: () => t('builds.allocated'),
    width: QUANTITY_WIDTH,
    align: 'end',
    isWide: true,
    cell: (line) =>
      line.bom_item_detail?.consumable ? null : (
        <span class={calculateUnallocated(line) === 0 ? 'positive' : ''}>
          {formatWithUnit(line.allocated, line.part_detail?.units)}
        </span>
      ),
  },
  {
    name: 'to_allocate',
    title: () => t('builds.to-allocate'),
    order: null,
    width: QUANTITY_WIDTH,
    align: 'end',
    cell: (line) => formatIfAny(calculateUnallocated(line), line),
  },
  {
    name: 'shortage',
    title: () => t('builds.shortage'),
    order: null,
    width: QUANTITY_WIDTH,
    align: 'end',
    cell: (line) => <span class="low">{formatIfAny(calculateShortage(line), line)}</span>,
  },
  {
    name: 'available',
    title: () => t('parts.available'),
    order: 'available_stock',
    // wide enough to show also how much is damaged or needs attention
    width: 'clamp(7rem, 11vw, 10rem)',
    align: 'end',
    isWide: true,
    cell: (line) => (
      <span class={isShort(line) ? 'low' : ''}>
        <AvailableQuantity units={line.part_detail?.units} flaws={line.flawed_stock}>
          {formatWithUnit(line.total_available_stock, line.part_detail?.units)}
        </AvailableQuantity>
      </span>
    ),
  },
  {
    name: 'incoming',
    title: () => t('parts.on-order'),
    order: null,
    width: QUANTITY_WIDTH,
    align: 'end',
    isWide: true,
    cell: (line) => formatIfAny(line.incoming ?? 0, line),
  },
]

/** Columns of closed orders, which have no shortages and no allocations. */
const closedOrderColumns = columns
  .slice(0, 3)
  .map((column) => (column.name === 'quantity' ? { ...column, isWide: false } : column))

const LINE_TYPE_FILTERS = ['tracked', 'optional', 'consumable']

type Properties = {
  build: Build
  /** Whether stock can be allocated to it by scanning. */
  canPick: boolean
  onRows: (rows: Rows<BuildLine>) => void
}

/** The components that a build order needs, in a list of any length. Those with too little stock are red; Enter opens one. */
export function BuildLines({ build, canPick, onRows }: Properties) {
  const scanPath = `/scan/pick/?build=${build.pk}`
  useCommands(
    () => (canPick ? [{ keys: 'p', label: () => t('scan.pick-by-scanning'), run: () => navigate(scanPath) }] : []),
    [canPick, scanPath],
  )
  return (
    <Table
      metadata={buildLineMetadata}
      columns={isActive(build) ? columns : closedOrderColumns}
      filters={isActive(build) ? ['allocated', 'available', ...LINE_TYPE_FILTERS] : LINE_TYPE_FILTERS}
      rareFilters={LINE_TYPE_FILTERS}
      fixed={{ build: String(build.pk), flawed_stock: 'true', incoming: 'true', build_detail: 'true' }}
      to={({ pk, bom_item }) => `/build/${build.pk}/?line=${pk}&bom_item=${bom_item}`}
      title={t('builds.components')}
      urlPrefix="lines"
      isEmbedded
      onRows={onRows}
      toolbarEnd={
        canPick && (
          <a class="button quiet" href={scanPath} aria-keyshortcuts="p">
            <Icon name="scan" />
            {t('scan.pick-by-scanning')}
          </a>
        )
      }
      empty={
        <Empty icon="chip" title={t('parts.no-bom')}>
          <a class="button" href={`/part/${build.part}/bom/`}>
            {t('parts.bom')}
          </a>
        </Empty>
      }
    />
  )
}

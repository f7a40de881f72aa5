import { quantity, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { Badge, Empty } from '../../kit/page/page.tsx'
import type { Column } from '../../kit/table/column.ts'
import { Table } from '../../kit/table/table.tsx'
import type { Rows } from '../../kit/table/table-rows.ts'
import { builtIn } from '../../kit/values/built-in.ts'
import { compare } from '../../kit/values/exact.ts'
import { Free } from '../stock/free.tsx'
import { type Build, type BuildLine, buildLineMetadata, isActive, isShort, missingQuantity } from './build-details.ts'

/** Wide enough for a quantity with five decimals and its unit, if there is room. */
const WIDTH = 'clamp(7rem, 9.5vw, 9.5rem)'

const columns: readonly Column<BuildLine>[] = [
  {
    name: 'part',
    title: () => t('builds.component'),
    cell: (line) => (
      <>
        <a href={`/part/${line.part_detail?.pk}/`}>{line.part_detail?.full_name}</a>{' '}
        {line.bom_item_detail?.optional && <Badge>{t('parts.optional')}</Badge>}{' '}
        {line.bom_item_detail?.consumable && <Badge>{t('parts.consumable')}</Badge>}{' '}
        {compare(builtIn(line), 0) > 0 && (
          <Badge tone="good">{t('builds.built-in', { amount: quantity(builtIn(line), line.part_detail?.units) })}</Badge>
        )}
      </>
    ),
  },
  { name: 'reference', width: '9rem', isWide: true, cell: ({ bom_item_detail }) => bom_item_detail?.reference },
  {
    name: 'quantity',
    title: () => t('builds.needed'),
    width: WIDTH,
    align: 'end',
    isWide: true,
    cell: (line) => quantity(line.quantity, line.part_detail?.units),
  },
  {
    name: 'allocated',
    title: () => t('builds.put-by'),
    width: WIDTH,
    align: 'end',
    cell: (line) =>
      line.bom_item_detail?.consumable ? null : (
        <span class={missingQuantity(line) === 0 ? 'came' : ''}>{quantity(line.allocated, line.part_detail?.units)}</span>
      ),
  },
  {
    name: 'lacks',
    title: () => t('builds.lacks'),
    order: null,
    width: WIDTH,
    align: 'end',
    cell: (line) => (
      <span class={isShort(line) ? 'low' : ''}>
        {missingQuantity(line) > 0 ? quantity(missingQuantity(line), line.part_detail?.units) : ''}
      </span>
    ),
  },
  {
    name: 'available',
    title: () => t('parts.free'),
    order: 'available_stock',
    // has room for the unusable stock
    width: 'clamp(7rem, 11vw, 10rem)',
    align: 'end',
    isWide: true,
    cell: (line) => (
      <span class={isShort(line) ? 'low' : ''}>
        <Free units={line.part_detail?.units} flaws={line.flawed_stock}>
          {quantity(line.total_available_stock, line.part_detail?.units)}
        </Free>
      </span>
    ),
  },
  {
    name: 'incoming',
    title: () => t('parts.on-order'),
    order: null,
    width: WIDTH,
    align: 'end',
    isWide: true,
    cell: (line) => ((line.incoming ?? 0) > 0 ? quantity(line.incoming ?? 0, line.part_detail?.units) : ''),
  },
]

/** Columns of closed orders, which have no shortages and no allocations. */
const completedColumns = columns.slice(0, 3).map((column) => (column.name === 'quantity' ? { ...column, isWide: false } : column))

const KIND_FILTERS = ['tracked', 'optional', 'consumable']

type Properties = {
  build: Build
  /** Whether stock can be allocated to it by scanning. */
  mayPick: boolean
  onRows: (rows: Rows<BuildLine>) => void
}

/** The components that a build order needs, in a list of any length. Those with too little stock are red; Enter opens one. */
export function BuildLines({ build, mayPick, onRows }: Properties) {
  const station = `/scan/pick/?build=${build.pk}`
  useCommands(
    () => (mayPick ? [{ keys: 'p', label: () => t('scan.pick-by-scanning'), run: () => navigate(station) }] : []),
    [mayPick, station],
  )
  return (
    <Table
      metadata={buildLineMetadata}
      columns={isActive(build) ? columns : completedColumns}
      filters={isActive(build) ? ['allocated', 'available', ...KIND_FILTERS] : KIND_FILTERS}
      rareFilters={KIND_FILTERS}
      fixed={{ build: String(build.pk), flawed_stock: 'true', incoming: 'true', build_detail: 'true' }}
      to={({ pk, bom_item }) => `/build/${build.pk}/?line=${pk}&bom_item=${bom_item}`}
      title={t('builds.components')}
      as="lines"
      isPart
      onRows={onRows}
      toolbarEnd={
        mayPick && (
          <a class="button quiet" href={station} aria-keyshortcuts="p">
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

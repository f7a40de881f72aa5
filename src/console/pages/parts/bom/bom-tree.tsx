import { useMemo } from 'preact/hooks'
import { formatNumber, formatPriceRange, formatWithUnit, parseTypedNumber, t } from '../../../kit/language/language.ts'
import { readQuery, setQuery } from '../../../kit/navigation/router.ts'
import { useRead } from '../../../kit/page/data.ts'
import { DataDownload } from '../../../kit/page/data-file.tsx'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Badge, Empty, type PageProperties } from '../../../kit/page/page.tsx'
import { Thumbnail } from '../../../kit/page/thumbnail.tsx'
import type { Column } from '../../../kit/table/column.ts'
import { compare, multiply } from '../../../kit/values/exact.ts'
import { createCrumbs, getPartFrameUrls, PartFrame, type PartFrameData } from '../part-frame.tsx'
import { BomViews } from './bom-views.tsx'
import { type BomTreeLine, type CostSum, listBelow, sumCosts } from './tree-rows.ts'
import { TreeTable } from './tree-table.tsx'

type Tree = { currency: string; complete: boolean; lines: BomTreeLine[] }

/** A line with the costs of the lines directly below it. */
type Row = BomTreeLine & { below: CostSum | undefined }

/** The number of units of the assembly that the quantities are for: from the URL, otherwise 1. */
const readUnits = (): string => {
  const typed = parseTypedNumber(readQuery('quantity') ?? '')
  return /^\d{1,9}(\.\d{1,5})?$/.test(typed) && compare(typed, 0) > 0 ? typed : '1'
}

const scale = (amount: string | null, units: string): string | null => (amount === null ? null : multiply(amount, units))

const createColumns = (units: string, currency: string): readonly Column<Row>[] => {
  const formatCost = (min: string | null, max: string | null) => formatPriceRange(scale(min, units), scale(max, units), currency)
  return [
    { name: 'reference', width: '14%', isWide: true, cell: ({ reference }) => reference },
    {
      name: 'quantity',
      title: () => t('bom.per-assembly'),
      width: '9rem',
      align: 'end',
      isWide: true,
      cell: ({ quantity, part_detail }) => formatWithUnit(quantity, part_detail.units),
    },
    {
      name: 'total_quantity',
      title: () => t('bom.total-quantity'),
      width: '9rem',
      align: 'end',
      cell: ({ total_quantity, part_detail }) => formatWithUnit(multiply(total_quantity, units), part_detail.units),
    },
    {
      name: 'available_stock',
      title: () => t('parts.available'),
      width: '8rem',
      align: 'end',
      isWide: true,
      cell: ({ available_stock, total_quantity, optional, consumable, part_detail }) => (
        <span class={!optional && !consumable && compare(available_stock, multiply(total_quantity, units)) < 0 ? 'low' : ''}>
          {formatWithUnit(available_stock, part_detail.units)}
        </span>
      ),
    },
    {
      name: 'cost',
      title: () => t('parts.cost'),
      width: '11rem',
      align: 'end',
      cell: ({ cost_min, cost_max, below }) => (
        <>
          {formatCost(cost_min, cost_max)}
          {below && (below.min ?? below.max) !== null && (
            <small>
              {t(below.isPartial ? 'bom.components-cost-partial' : 'bom.components-cost', {
                cost: formatCost(below.min, below.max),
              })}
            </small>
          )}
        </>
      ),
    },
  ]
}

/** `/part/:pk/bom/tree/`: the BOM of an assembly with those of its components, with quantities for any number of units. */
export function BomTreePage({ params }: PageProperties) {
  const { data, error } = useRead<PartFrameData & { tree: Tree }>({
    ...getPartFrameUrls(params.pk as string),
    tree: `/api/part/${params.pk}/bom-tree/`,
  })
  const tree = data?.tree.body
  const rows = useMemo(
    () =>
      tree?.lines.map((line, index): Row => {
        const below = listBelow(tree.lines, index)
        return { ...line, below: below.length > 0 ? sumCosts(below) : undefined }
      }) ?? [],
    [tree],
  )
  if (error) return <LoadError error={error} crumbs={createCrumbs(undefined)} />
  if (!data || !tree) return null
  const part = data.part.body
  const units = readUnits()
  const total = sumCosts(listBelow(tree.lines, -1))
  return (
    <PartFrame data={data} tab="bom/">
      <BomViews part={part.pk} view="bom/tree/" />
      {rows.length === 0 ? (
        <Empty icon="chip" title={t('parts.no-bom')} />
      ) : (
        <>
          {!tree.complete && (
            <p>
              <Badge tone="warn">{t('bom.incomplete', { count: formatNumber(rows.length) })}</Badge>
            </p>
          )}
          <TreeTable
            key={part.pk}
            title={t('bom.tree')}
            rows={rows}
            nameTitle={t('bom.component')}
            plainName={({ part_detail }) => part_detail.full_name}
            name={({ part_detail, optional, consumable }) => (
              <>
                <a href={part_detail.assembly ? `/part/${part_detail.pk}/bom/` : `/part/${part_detail.pk}/`}>
                  <Thumbnail url={part_detail.thumbnail} />
                  {part_detail.full_name}
                </a>{' '}
                {optional && <Badge>{t('parts.optional')}</Badge>} {consumable && <Badge>{t('parts.consumable')}</Badge>}{' '}
                {!part_detail.active && <Badge tone="warn">{t('parts.inactive')}</Badge>}
              </>
            )}
            columns={createColumns(units, tree.currency)}
            toolbar={
              <>
                <label class="filter">
                  <span>{t('bom.for-units')}</span>
                  <input
                    type="text"
                    inputMode="decimal"
                    size={6}
                    value={formatNumber(units)}
                    onChange={({ currentTarget }) => {
                      setQuery({ quantity: currentTarget.value.trim() }, { replace: true })
                      currentTarget.value = formatNumber(readUnits())
                    }}
                  />
                </label>
                <DataDownload
                  name={`bom-${part.pk}`}
                  getTable={() => ({
                    headings: [
                      t('bom.level'),
                      t('bom.component'),
                      t('bom.reference'),
                      t('bom.per-assembly'),
                      t('bom.total-quantity'),
                      t('bom.unit'),
                      t('bom.minimum-cost', { currency: tree.currency }),
                      t('bom.maximum-cost', { currency: tree.currency }),
                    ],
                    rows: rows.map((row) => [
                      String(row.depth),
                      row.part_detail.full_name,
                      row.reference,
                      multiply(row.quantity, 1),
                      multiply(row.total_quantity, units),
                      row.part_detail.units ?? '',
                      scale(row.cost_min, units) ?? '',
                      scale(row.cost_max, units) ?? '',
                    ]),
                  })}
                />
              </>
            }
            footer={
              <tr>
                <th scope="row">{t(total.isPartial ? 'bom.total-partial' : 'bom.total')}</th>
                <td class="wide-only" />
                <td class="wide-only" />
                <td />
                <td class="wide-only" />
                <td class="end">{formatPriceRange(scale(total.min, units), scale(total.max, units), tree.currency)}</td>
              </tr>
            }
          />
        </>
      )}
    </PartFrame>
  )
}

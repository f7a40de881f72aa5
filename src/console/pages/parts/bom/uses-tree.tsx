import { formatNumber, formatWithUnit, t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Badge, Empty, type PageProperties } from '../../../kit/page/page.tsx'
import { Thumbnail } from '../../../kit/page/thumbnail.tsx'
import type { Column } from '../../../kit/table/column.ts'
import { createCrumbs, getPartFrameUrls, PartFrame, type PartFrameData } from '../part-frame.tsx'
import { BomViews } from './bom-views.tsx'
import type { TreePart } from './tree-rows.ts'
import { TreeTable } from './tree-table.tsx'

/** An assembly that contains a part, as returned by `/api/part/{id}/used-in-tree/`. */
type Use = {
  depth: number
  use: 'component' | 'variant' | 'substitute'
  reference: string
  optional: boolean
  quantity: number
  total_quantity: number
  part_detail: TreePart
}

const createColumns = (units: string | null): readonly Column<Use>[] => [
  { name: 'reference', width: '14%', isWide: true, cell: ({ reference }) => reference },
  {
    name: 'quantity',
    title: () => t('bom.in-line'),
    width: '9rem',
    align: 'end',
    isWide: true,
    // the line of a higher level has the assembly of the level below it
    cell: ({ depth, quantity }) => (depth === 1 ? formatWithUnit(quantity, units) : formatNumber(quantity)),
  },
  {
    name: 'total_quantity',
    title: () => t('bom.per-unit'),
    width: '10rem',
    align: 'end',
    cell: ({ total_quantity }) => formatWithUnit(total_quantity, units),
  },
]

/** `/part/:pk/used-in/tree/`: the assemblies that contain a part at any depth, with the quantity in one unit of each. */
export function UsesTreePage({ params }: PageProperties) {
  const { data, error } = useRead<PartFrameData & { tree: { complete: boolean; lines: Use[] } }>({
    ...getPartFrameUrls(params.pk as string),
    tree: `/api/part/${params.pk}/used-in-tree/`,
  })
  if (error) return <LoadError error={error} crumbs={createCrumbs(undefined)} />
  if (!data) return null
  const part = data.part.body
  const { lines, complete } = data.tree.body
  return (
    <PartFrame data={data} tab="used-in/">
      <BomViews part={part.pk} view="used-in/tree/" />
      {lines.length === 0 ? (
        <Empty icon="chip" title={t('parts.not-used')} />
      ) : (
        <>
          {!complete && (
            <p>
              <Badge tone="warn">{t('bom.incomplete', { count: formatNumber(lines.length) })}</Badge>
            </p>
          )}
          <TreeTable
            key={part.pk}
            title={t('parts.used-in')}
            rows={lines}
            nameTitle={t('parts.assembly')}
            plainName={({ part_detail }) => part_detail.full_name}
            name={({ part_detail, use, optional }) => (
              <>
                <a href={`/part/${part_detail.pk}/bom/`}>
                  <Thumbnail url={part_detail.thumbnail} />
                  {part_detail.full_name}
                </a>{' '}
                {use === 'substitute' && <Badge tone="accent">{t('parts.as-substitute')}</Badge>}
                {use === 'variant' && <Badge tone="accent">{t('parts.as-variant')}</Badge>}{' '}
                {optional && <Badge>{t('parts.optional')}</Badge>}{' '}
                {!part_detail.active && <Badge tone="warn">{t('parts.inactive')}</Badge>}
              </>
            )}
            columns={createColumns(part.units)}
          />
        </>
      )}
    </PartFrame>
  )
}

import bomMetadata from 'metadata:/api/bom/'
import { formatWithUnit, t } from '../../../kit/language/language.ts'
import { useRead } from '../../../kit/page/data.ts'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Badge, Empty, type PageProperties } from '../../../kit/page/page.tsx'
import { Thumbnail } from '../../../kit/page/thumbnail.tsx'
import type { Column } from '../../../kit/table/column.ts'
import { Table } from '../../../kit/table/table.tsx'
import { createCrumbs, getPartFrameUrls, PartFrame, type PartFrameData } from '../part-frame.tsx'
import type { BomLine } from '../part-requests.ts'
import { BomViews } from './bom-views.tsx'

const createColumns = (part: number, units: string | null): readonly Column<BomLine>[] => [
  {
    name: 'part',
    title: () => t('parts.assembly'),
    order: null,
    cell: ({ part: assembly, part_detail }) => (
      <>
        <Thumbnail url={part_detail?.thumbnail} />
        <a href={`/part/${assembly}/bom/`}>{part_detail?.full_name}</a>{' '}
        {part_detail?.active === false && <Badge tone="warn">{t('parts.inactive')}</Badge>}
      </>
    ),
  },
  {
    name: 'how',
    title: () => t('parts.use'),
    order: null,
    width: '12rem',
    isWide: true,
    cell: ({ sub_part, substitutes, optional, consumable }) => (
      <span class="badges">
        {sub_part !== part &&
          (substitutes.some((one) => one.part === part) ? (
            <Badge tone="accent">{t('parts.as-substitute')}</Badge>
          ) : (
            <Badge tone="accent">{t('parts.as-variant')}</Badge>
          ))}
        {optional && <Badge>{t('parts.optional')}</Badge>}
        {consumable && <Badge>{t('parts.consumable')}</Badge>}
      </span>
    ),
  },
  { name: 'reference', order: null, width: '14rem', isWide: true, cell: ({ reference }) => reference },
  { name: 'quantity', width: '8rem', align: 'end', cell: (line) => formatWithUnit(line.quantity, units) },
]

/** `/part/:pk/used-in/`: the assemblies that can use a part, as component, as substitute, or as an allowed variant. */
export function PartUsesPage({ params }: PageProperties) {
  const { data, error } = useRead<PartFrameData>(getPartFrameUrls(params.pk as string))
  if (error) return <LoadError error={error} crumbs={createCrumbs(undefined)} />
  if (!data) return null
  const { pk, units } = data.part.body
  return (
    <PartFrame data={data} tab="used-in/" isFull>
      <BomViews part={pk} view="used-in/" />
      <Table
        key={pk}
        metadata={bomMetadata}
        columns={createColumns(pk, units)}
        filters={['part_active', 'optional', 'consumable']}
        fixed={{ uses: String(pk), part_detail: 'true' }}
        to={({ part }) => `/part/${part}/bom/`}
        title={t('parts.used-in')}
        empty={<Empty icon="chip" title={t('parts.not-used')} />}
      />
    </PartFrame>
  )
}

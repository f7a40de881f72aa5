import { useSignal } from '@preact/signals'
import { Combobox, type Source } from '../../../kit/form/combobox.tsx'
import { formatNumber, formatWithUnit, type PlainKey, t } from '../../../kit/language/language.ts'
import { readQuery, setQuery } from '../../../kit/navigation/router.ts'
import { useRead } from '../../../kit/page/data.ts'
import { DataDownload } from '../../../kit/page/data-file.tsx'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Badge, Empty, type PageProperties } from '../../../kit/page/page.tsx'
import { Thumbnail } from '../../../kit/page/thumbnail.tsx'
import { type Page as ListPage, withQuery } from '../../../kit/service/api.ts'
import { ShortTable } from '../../../kit/table/short-table.tsx'
import { compare } from '../../../kit/values/exact.ts'
import type { Part } from '../part-details.tsx'
import { createCrumbs, getPartFrameUrls, PartFrame, type PartFrameData } from '../part-frame.tsx'
import { BomViews } from './bom-views.tsx'
import { type ComparedLine, compareBoms, type Difference, type Side } from './compare-boms.ts'

/** Maximum number of lines of each BOM that are compared. */
const MAX_LINES = 5_000
/** Maximum number of related assemblies that are offered at once. */
const MAX_RELATED = 8

type RelatedPart = Pick<Part, 'pk' | 'full_name'>

/** All assemblies, those that are no longer active too. */
const assemblySource: Source<Part> = {
  url: '/api/part/',
  query: { assembly: true },
  getTitle: ({ full_name }) => full_name,
  getDetail: ({ description }) => description,
  picture: ({ thumbnail }) => thumbnail,
}

const getLinesUrl = (part: string | number): string =>
  withQuery('/api/bom/', { part, sub_part_detail: true, pricing: false, substitutes: false, limit: MAX_LINES })

type OtherData = { other?: Part; otherLines?: ListPage<ComparedLine> }

/** `/part/:pk/bom/compare/?with=7`: the BOM of an assembly compared with that of another one, such as an earlier revision. */
export function BomComparePage({ params }: PageProperties) {
  const other = /^\d+$/.exec(readQuery('with') ?? '')?.[0]
  const { data, error } = useRead<
    PartFrameData &
      OtherData & { lines: ListPage<ComparedLine>; revisions: ListPage<RelatedPart>; variants: ListPage<RelatedPart> }
  >(
    {
      ...getPartFrameUrls(params.pk as string),
      lines: getLinesUrl(params.pk as string),
      revisions: withQuery('/api/part/', { revision_of: params.pk, assembly: true, limit: MAX_RELATED }),
      ...(other ? { other: `/api/part/${other}/`, otherLines: getLinesUrl(other) } : {}),
    } as never,
    ['other', 'otherLines'],
  )
  if (error) return <LoadError error={error} crumbs={createCrumbs(undefined)} />
  if (!data) return null
  const part = data.part.body
  const isOther = other !== undefined && String(data.other?.body.pk) === other
  return (
    <PartFrame data={data} tab="bom/">
      <BomViews part={part.pk} view="bom/compare/" />
      <div class="tree-toolbar">
        <label class="filter">
          <span>{t('bom.compare-with')}</span>
          <Combobox
            source={assemblySource}
            value={other}
            onPick={(picked) => setQuery({ with: picked ? String(picked.pk) : undefined })}
            attributes={{ size: 30 }}
          />
        </label>
        <RelatedAssemblies part={part} revisions={data.revisions.body.results} current={other} />
      </div>
      {isOther && data.other && data.otherLines ? (
        <Comparison before={part} after={data.other.body} lines={data.lines.body} otherLines={data.otherLines.body} />
      ) : (
        other === undefined && <Empty icon="chip" title={t('bom.compare-none')} />
      )}
    </PartFrame>
  )
}

/** Links that compare with the revisions of an assembly, and with the assembly that it is a revision of. */
function RelatedAssemblies({
  part,
  revisions,
  current,
}: {
  part: Part
  revisions: readonly RelatedPart[]
  current: string | undefined
}) {
  const { data } = useRead<{ original?: RelatedPart; siblings?: ListPage<RelatedPart> }>(
    part.revision_of
      ? {
          original: `/api/part/${part.revision_of}/`,
          siblings: withQuery('/api/part/', { revision_of: part.revision_of, assembly: true, limit: MAX_RELATED }),
        }
      : ({} as never),
    ['original', 'siblings'],
  )
  const related = [...(data?.original ? [data.original.body] : []), ...(data?.siblings?.body.results ?? []), ...revisions].filter(
    ({ pk }) => pk !== part.pk && String(pk) !== current,
  )
  if (related.length === 0) return null
  return (
    <span class="related-assemblies">
      {t('bom.revisions')}{' '}
      {related.map(({ pk, full_name }) => (
        <a key={pk} href={`/part/${part.pk}/bom/compare/?with=${pk}`}>
          {full_name}
        </a>
      ))}
    </span>
  )
}

const CHANGES: Record<Difference['change'], { text: PlainKey; tone?: 'good' | 'bad' | 'warn' }> = {
  added: { text: 'bom.added', tone: 'good' },
  removed: { text: 'bom.removed', tone: 'bad' },
  changed: { text: 'bom.changed', tone: 'warn' },
  same: { text: 'bom.unchanged' },
}

type ComparisonProperties = {
  before: Part
  after: Part
  lines: ListPage<ComparedLine>
  otherLines: ListPage<ComparedLine>
}

function Comparison({ before, after, lines, otherLines }: ComparisonProperties) {
  const showsSame = useSignal(false)
  const differences = compareBoms(lines.results, otherLines.results)
  const rows = differences
    .filter(({ change }) => change !== 'same' || showsSame.value)
    .map((difference) => ({ ...difference, pk: difference.component }))
  const isComplete = lines.results.length === lines.count && otherLines.results.length === otherLines.count
  const countOf = (change: Difference['change']) => formatNumber(differences.filter((one) => one.change === change).length)
  return (
    <>
      <p class="bom-state">
        {!isComplete && <Badge tone="warn">{t('bom.incomplete', { count: formatNumber(MAX_LINES) })}</Badge>}
        <span>
          {t('bom.summary', {
            added: countOf('added'),
            removed: countOf('removed'),
            changed: countOf('changed'),
            unchanged: countOf('same'),
          })}
        </span>
        <label class="checkbox-line">
          <input
            type="checkbox"
            checked={showsSame.value}
            onChange={({ currentTarget }) => {
              showsSame.value = currentTarget.checked
            }}
          />
          {t('bom.show-unchanged')}
        </label>
        <DataDownload
          name={`bom-${before.pk}-${after.pk}`}
          getTable={() => ({
            headings: [
              t('bom.component'),
              t('bom.change'),
              `${t('bom.quantity')} ${before.full_name}`,
              `${t('bom.quantity')} ${after.full_name}`,
              `${t('bom.reference')} ${before.full_name}`,
              `${t('bom.reference')} ${after.full_name}`,
            ],
            rows: rows.map((row) => [
              row.detail?.full_name ?? '',
              t(CHANGES[row.change].text),
              row.before?.quantity ?? '',
              row.after?.quantity ?? '',
              row.before?.references.join(' ') ?? '',
              row.after?.references.join(' ') ?? '',
            ]),
          })}
        />
      </p>
      {rows.length === 0 ? (
        <Empty icon="check" title={t('bom.no-differences')} />
      ) : (
        <ShortTable
          title={t('bom.compare')}
          rows={rows}
          columns={[
            {
              name: 'component',
              title: () => t('bom.component'),
              cell: ({ component, detail }) => (
                <a href={`/part/${component}/`}>
                  <Thumbnail url={detail?.thumbnail} />
                  {detail?.full_name}
                </a>
              ),
            },
            {
              name: 'change',
              title: () => t('bom.change'),
              width: '8rem',
              cell: ({ change }) => {
                const { text, tone } = CHANGES[change]
                return <Badge {...(tone ? { tone } : {})}>{t(text)}</Badge>
              },
            },
            {
              name: 'before',
              title: () => before.full_name,
              width: '24%',
              cell: (row) => <SideCell side={row.before} other={row.after} units={row.detail?.units} isBefore />,
            },
            {
              name: 'after',
              title: () => after.full_name,
              width: '24%',
              cell: (row) => <SideCell side={row.after} other={row.before} units={row.detail?.units} />,
            },
            {
              name: 'difference',
              title: () => t('bom.difference'),
              width: '8rem',
              align: 'end',
              isWide: true,
              cell: ({ quantityChange, detail }) =>
                compare(quantityChange, 0) === 0
                  ? ''
                  : `${compare(quantityChange, 0) > 0 ? '+' : ''}${formatWithUnit(quantityChange, detail?.units)}`,
            },
          ]}
        />
      )}
    </>
  )
}

type SideProperties = { side: Side | undefined; other: Side | undefined; units: string | null | undefined; isBefore?: boolean }

/** The quantity and the designators on one side; those that the other side lacks are marked. */
function SideCell({ side, other, units, isBefore }: SideProperties) {
  if (!side) return null
  const Mark = isBefore ? 'del' : 'ins'
  const isChanged = other !== undefined && compare(side.quantity, other.quantity) !== 0
  const quantity = formatWithUnit(side.quantity, units)
  return (
    <>
      {isChanged ? <strong>{quantity}</strong> : quantity}
      {(side.optional || side.consumable) && (
        <span class="badges">
          {' '}
          {side.optional && <Badge>{t('parts.optional')}</Badge>} {side.consumable && <Badge>{t('parts.consumable')}</Badge>}
        </span>
      )}
      {side.references.length > 0 && (
        <small class="designators">
          {side.references.map((designator, index) => (
            <span key={designator}>
              {index > 0 && ', '}
              {other && !other.references.includes(designator) ? <Mark>{designator}</Mark> : designator}
            </span>
          ))}
        </small>
      )}
    </>
  )
}

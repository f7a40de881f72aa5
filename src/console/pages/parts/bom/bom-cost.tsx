import { formatNumber, formatPriceRange, formatWithUnit, t } from '../../../kit/language/language.ts'
import { Bars } from '../../../kit/page/bars.tsx'
import { useRead } from '../../../kit/page/data.ts'
import { DataDownload } from '../../../kit/page/data-file.tsx'
import { LoadError } from '../../../kit/page/load-error.tsx'
import { Empty, type PageProperties, Panel } from '../../../kit/page/page.tsx'
import { Thumbnail } from '../../../kit/page/thumbnail.tsx'
import { type Page as ListPage, withQuery } from '../../../kit/service/api.ts'
import { compare, divide, multiply, sumAmounts } from '../../../kit/values/exact.ts'
import { createCrumbs, getPartFrameUrls, PartFrame, type PartFrameData } from '../part-frame.tsx'
import type { BomLine, Pricing } from '../part-requests.ts'
import { BomViews } from './bom-views.tsx'
import { countBuildable, getAvailable, isLimiting } from './can-build.ts'

/** Maximum number of lines that the charts show. */
const MAX_LINES = 1_000

const getCost = ({ pricing_min_total: low, pricing_max_total: high }: BomLine): string | null => high ?? low

/** `/part/:pk/bom/cost/`: what each component of a BOM costs, and how many assemblies its available stock makes. */
export function BomCostPage({ params }: PageProperties) {
  const { data, error } = useRead<Omit<PartFrameData, 'bom'> & { bom: ListPage<BomLine>; pricing: Pricing }>({
    ...getPartFrameUrls(params.pk as string),
    bom: withQuery('/api/bom/', { part: params.pk, sub_part_detail: true, limit: MAX_LINES }),
    pricing: `/api/part/${params.pk}/pricing/`,
  })
  if (error) return <LoadError error={error} crumbs={createCrumbs(undefined)} />
  if (!data) return null
  const part = data.part.body
  const { results: lines, count } = data.bom.body
  const { currency } = data.pricing.body
  return (
    <PartFrame data={data} tab="bom/">
      <BomViews part={part.pk} view="bom/cost/" />
      {lines.length === 0 ? (
        <Empty icon="chip" title={t('parts.no-bom')} />
      ) : (
        <>
          {count > lines.length && (
            <p class="quiet-text">{t('parts.shown-of', { shown: formatNumber(lines.length), total: formatNumber(count) })}</p>
          )}
          <CostPanel part={part.pk} lines={lines} currency={currency} />
          <LimitsPanel part={part.pk} lines={lines} />
        </>
      )}
    </PartFrame>
  )
}

const Component = ({ line }: { line: BomLine }) => (
  <a href={`/part/${line.sub_part}/`}>
    <Thumbnail url={line.sub_part_detail?.thumbnail} />
    {line.sub_part_detail?.full_name}
  </a>
)

/** The cost of each line, the highest first; lines without a price come last. */
function CostPanel({ part, lines, currency }: { part: number; lines: readonly BomLine[]; currency: string }) {
  const sorted = lines.toSorted((one, other) => compare(getCost(other) ?? -1, getCost(one) ?? -1))
  const total = sumAmounts(lines.map((line) => getCost(line) ?? 0))
  const highest = getCost(sorted[0] as BomLine)
  if (highest === null || compare(total, 0) <= 0)
    return (
      <Panel title={t('bom.cost')}>
        <p class="quiet-text">{t('bom.no-costs')}</p>
      </Panel>
    )
  const getShare = (cost: string): string => multiply(divide(cost, total), 100)
  return (
    <Panel
      title={t('bom.cost')}
      actions={
        <DataDownload
          name={`bom-cost-${part}`}
          getTable={() => ({
            headings: [
              t('bom.component'),
              t('bom.quantity'),
              t('bom.unit'),
              t('bom.minimum-cost', { currency }),
              t('bom.maximum-cost', { currency }),
            ],
            rows: sorted.map((line) => [
              line.sub_part_detail?.full_name ?? '',
              multiply(line.quantity, 1),
              line.sub_part_detail?.units ?? '',
              line.pricing_min_total ?? '',
              line.pricing_max_total ?? '',
            ]),
          })}
        />
      }
    >
      <Bars
        title={t('bom.cost')}
        headings={{ label: t('bom.component'), value: t('parts.cost'), share: t('bom.share') }}
        bars={sorted.map((line) => {
          const cost = getCost(line)
          return {
            key: line.pk,
            label: <Component line={line} />,
            percent: cost === null ? 0 : Number(divide(multiply(cost, 100), highest)),
            value: formatPriceRange(line.pricing_min_total, line.pricing_max_total, currency) || t('chart.unknown'),
            ...(cost === null ? {} : { share: `${formatNumber(getShare(cost), 1)} %` }),
          }
        })}
      />
      <p class="quiet-text">{t('bom.cost-about')}</p>
    </Panel>
  )
}

/** The number of assemblies that the available stock of each component makes, the scarcest first. */
function LimitsPanel({ part, lines }: { part: number; lines: readonly BomLine[] }) {
  const limits = lines
    .filter(isLimiting)
    .map((line) => ({ line, count: countBuildable(line) }))
    .sort((one, other) => one.count - other.count)
  const most = limits.at(-1)?.count ?? 0
  if (limits.length === 0) return null
  return (
    <Panel
      title={t('bom.limits')}
      actions={
        <DataDownload
          name={`bom-limits-${part}`}
          getTable={() => ({
            headings: [t('bom.component'), t('parts.available'), t('bom.unit'), t('bom.enough-for')],
            rows: limits.map(({ line, count }) => [
              line.sub_part_detail?.full_name ?? '',
              getAvailable(line),
              line.sub_part_detail?.units ?? '',
              String(count),
            ]),
          })}
        />
      }
    >
      <Bars
        title={t('bom.limits')}
        headings={{ label: t('bom.component'), value: t('bom.enough-for'), share: t('parts.available') }}
        bars={limits.map(({ line, count }) => ({
          key: line.pk,
          label: <Component line={line} />,
          // a few scarce components among plenty stay in view
          percent: most === 0 ? 0 : (Math.log1p(count) / Math.log1p(most)) * 100,
          value: formatNumber(count),
          share: formatWithUnit(getAvailable(line), line.sub_part_detail?.units),
          ...(count === limits[0]?.count ? { tone: 'bad' as const } : {}),
        }))}
      />
      <p class="quiet-text">{t('bom.limits-about')}</p>
    </Panel>
  )
}

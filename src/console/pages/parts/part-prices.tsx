import pricingMetadata from 'metadata:/api/part/{id}/pricing/'
import { useSignal } from '@preact/signals'
import { Field, type Values } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { count, formatDateTime, formatMoney, formatNumber, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { Chart } from '../../kit/page/chart.tsx'
import { useRead } from '../../kit/page/data.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { type PageProperties, Panel } from '../../kit/page/page.tsx'
import { Plot } from '../../kit/page/plot.tsx'
import { attempt } from '../../kit/page/toast.tsx'
import { ApiError, type ApiResponse, change, type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { hasNoRate } from '../../kit/service/exchange-rates.ts'
import { hasPermission } from '../../kit/service/session.ts'
import { ShortTable } from '../../kit/table/short-table.tsx'
import { isStaff } from '../settings/settings-pages.ts'
import { createCrumbs, getPartFrameUrls, PartFrame, type PartFrameData } from './part-frame.tsx'
import { purchasePricePoints, salePricePoints, toCells } from './part-history.tsx'
import { SuppliersPanel } from './part-panels.tsx'
import {
  MAX_ROWS,
  type PriceBreak,
  type PriceSource,
  type Pricing,
  type PurchasedLine,
  type SoldLine,
  type SupplierPart,
} from './part-requests.ts'
import { PriceBreaks } from './price-breaks.tsx'

/** Number of prices of each kind loaded at a time. */
const PAGE_SIZE = 200

/** The sources of prices: those that the price range is computed from, and the sale prices. */
const SOURCES: readonly PriceSource[] = [
  'override',
  'internal_cost',
  'purchase_cost',
  'supplier_price',
  'bom_cost',
  'variant_cost',
  'overall',
  'sale_price',
  'sale_history',
]

/** The fields of the price override. */
const OVERRIDE_FIELDS = ['override_min', 'override_min_currency', 'override_max', 'override_max_currency'] as const

type PageData = PartFrameData & {
  pricing: Pricing
  internal: ListPage<PriceBreak>
  sale: ListPage<PriceBreak>
  suppliers?: ListPage<SupplierPart>
  breaks?: ListPage<PriceBreak>
  ordered?: ListPage<PurchasedLine>
  sold?: ListPage<SoldLine>
}

/** `/part/:pk/prices/`: the cost and the sale prices of a part, their sources, and their history. */
export function PartPricesPage({ params }: PageProperties) {
  const limit = useSignal(PAGE_SIZE)
  const pk = params.pk as string
  const breakQuery = { part: pk, ordering: 'quantity', etag: true, limit: limit.value }
  const { data, error, reload } = useRead<PageData>(
    {
      ...getPartFrameUrls(pk),
      pricing: `/api/part/${pk}/pricing/`,
      internal: withQuery('/api/part/internal-price/', breakQuery),
      sale: withQuery('/api/part/sale-price/', breakQuery),
      suppliers: withQuery('/api/company/part/', { part: pk, supplier_detail: true, limit: MAX_ROWS }),
      ...(hasPermission('view', 'purchase_order')
        ? {
            breaks: withQuery('/api/company/price-break/', { base_part: pk, ordering: 'quantity', limit: 500 }),
            ordered: withQuery('/api/order/po-line/', {
              base_part: pk,
              has_pricing: true,
              order_detail: true,
              part_detail: true,
              ordering: '-order',
              limit: 1_000,
            }),
          }
        : {}),
      ...(hasPermission('view', 'sales_order')
        ? {
            sold: withQuery('/api/order/so-line/', {
              part: pk,
              has_pricing: true,
              order_detail: true,
              ordering: '-order',
              limit: 1_000,
            }),
          }
        : {}),
      // ignores an error, as the service rejects a query for lines of a part that cannot be purchased
    },
    ['ordered'],
  )
  // the prices as they were when the override dialog was opened
  const overriddenPricing = useSignal<ApiResponse<Pricing> | undefined>(undefined)
  const canChange = hasPermission('change', 'part')
  const openOverride = () => {
    overriddenPricing.value = data?.pricing
  }
  async function recalculate() {
    await attempt(() => change(`/api/part/${pk}/pricing/`, { update: true }, undefined))
    reload()
  }
  useCommands(
    () =>
      canChange
        ? [
            { keys: 'o', label: () => t('parts.override-price'), run: openOverride },
            { keys: 'w', label: () => t('parts.recalculate'), run: recalculate },
          ]
        : [],
    [canChange, pk, data?.pricing],
  )
  if (error) return <LoadError error={error} crumbs={createCrumbs(undefined)} />
  if (!data) return null
  const part = data.part.body
  const pricing = data.pricing.body
  const rights = { add: hasPermission('add', 'part'), change: canChange, delete: hasPermission('delete', 'part') }
  const purchasePrices = purchasePricePoints(data.ordered?.body.results ?? [])
  const salePrices = salePricePoints(data.sold?.body.results ?? [])
  const sources = SOURCES.map((name, pk) => ({ pk, name, min: pricing[`${name}_min`], max: pricing[`${name}_max`] })).filter(
    ({ min, max }) => min !== null || max !== null,
  )
  const withoutRate = [
    ...new Set([
      ...(data.breaks?.body.results ?? []).map(({ price_currency }) => price_currency),
      ...data.internal.body.results.map(({ price_currency }) => price_currency),
      ...data.sale.body.results.map(({ price_currency }) => price_currency),
      ...(data.ordered?.body.results ?? []).map(({ purchase_price_currency }) => purchase_price_currency),
      ...(data.sold?.body.results ?? []).map(({ sale_price_currency }) => sale_price_currency),
    ]),
  ].filter(hasNoRate)
  const getCurrency = (name: PriceSource, end: 'min' | 'max') =>
    name === 'override' ? pricing[`override_${end}_currency`] || pricing.currency : pricing.currency
  const loadMore = () => {
    limit.value += PAGE_SIZE
  }
  const actions = canChange && (
    <>
      <button type="button" onClick={openOverride}>
        <Icon name="edit" />
        {t('parts.override-price')}
      </button>
      <button type="button" onClick={recalculate}>
        <Icon name="count" />
        {t('parts.recalculate')}
      </button>
    </>
  )
  return (
    <PartFrame data={data} tab="prices/" actions={actions}>
      <div class="columns">
        <div class="stack">
          <Panel title={t('parts.price-range')}>
            {sources.length > 0 ? (
              <ShortTable
                title={t('parts.price-range')}
                rows={sources}
                columns={[
                  {
                    name: 'source',
                    title: () => t('parts.price-source'),
                    cell: ({ name }) => (name === 'overall' ? <strong>{t(`parts.${name}`)}</strong> : t(`parts.${name}`)),
                  },
                  {
                    name: 'min',
                    title: () => t('parts.lowest'),
                    align: 'end',
                    cell: ({ name, min }) => formatMoney(min, getCurrency(name, 'min')),
                  },
                  {
                    name: 'max',
                    title: () => t('parts.highest'),
                    align: 'end',
                    cell: ({ name, max }) => formatMoney(max, getCurrency(name, 'max')),
                  },
                ]}
              />
            ) : (
              <p class="quiet-text">{t('parts.no-price-range')}</p>
            )}
            {withoutRate.length > 0 && (
              <p class="problem">
                {t('parts.prices-without-rate', { currencies: withoutRate.join(', ') })}{' '}
                {isStaff() && <a href="/settings/currencies/">{t('settings.currencies')}</a>}
              </p>
            )}
            <p class="quiet-text">
              {pricing.scheduled_for_update
                ? t('parts.calculating')
                : pricing.updated && t('parts.calculated', { moment: formatDateTime(pricing.updated) })}
            </p>
          </Panel>
          <SuppliersPanel
            part={part}
            canAdd={false}
            parts={data.suppliers?.body.results ?? []}
            total={data.suppliers?.body.count ?? 0}
            breaks={data.breaks?.body.results ?? []}
          />
          {purchasePrices.points.length > 1 && (
            <Panel title={t('parts.purchase-price-history')}>
              <Chart
                title={t('parts.purchase-price-history')}
                name={`purchase-prices-${pk}`}
                data={{
                  headings: [t('chart.date'), t('chart.price', { currency: purchasePrices.currency })],
                  rows: purchasePrices.points.map(toCells),
                }}
              >
                <Plot
                  title={t('parts.purchase-price-history')}
                  points={purchasePrices.points}
                  text={(amount) => formatMoney(amount, purchasePrices.currency)}
                />
              </Chart>
              <OmittedPrices
                otherCurrencyCount={purchasePrices.otherCurrencyCount}
                notLoadedCount={(data.ordered?.body.count ?? 0) - (data.ordered?.body.results.length ?? 0)}
              />
            </Panel>
          )}
          {salePrices.points.length > 1 && (
            <Panel title={t('parts.sale-price-history')}>
              <Chart
                title={t('parts.sale-price-history')}
                name={`sale-prices-${pk}`}
                data={{
                  headings: [t('chart.date'), t('chart.price', { currency: salePrices.currency })],
                  rows: salePrices.points.map(toCells),
                }}
              >
                <Plot
                  title={t('parts.sale-price-history')}
                  points={salePrices.points}
                  text={(amount) => formatMoney(amount, salePrices.currency)}
                />
              </Chart>
              <OmittedPrices
                otherCurrencyCount={salePrices.otherCurrencyCount}
                notLoadedCount={(data.sold?.body.count ?? 0) - (data.sold?.body.results.length ?? 0)}
              />
            </Panel>
          )}
        </div>
        <div class="stack">
          <PriceBreaks
            kind="internal"
            part={part}
            breaks={data.internal.body.results}
            total={data.internal.body.count}
            currency={pricing.currency}
            rights={rights}
            reload={reload}
            onMore={loadMore}
          />
          {(part.salable || data.sale.body.count > 0) && (
            <PriceBreaks
              kind="sale"
              part={part}
              breaks={data.sale.body.results}
              total={data.sale.body.count}
              currency={pricing.currency}
              rights={{ ...rights, add: rights.add && part.salable }}
              reload={reload}
              onMore={loadMore}
            />
          )}
        </div>
      </div>
      {overriddenPricing.value && (
        <FormDialog<unknown>
          title={t('parts.override-price')}
          metadata={pricingMetadata}
          start={{
            ...Object.fromEntries(OVERRIDE_FIELDS.map((name) => [name, pricing[name]])),
            override_min_currency: pricing.override_min_currency || pricing.currency,
            override_max_currency: pricing.override_max_currency || pricing.currency,
          }}
          names={OVERRIDE_FIELDS}
          without="rest"
          customFields={(form) =>
            Object.fromEntries(OVERRIDE_FIELDS.map((name) => [name, () => <Field form={form} name={name} help={null} />]))
          }
          button={t('save')}
          send={(values) => saveOverride(pk, values, overriddenPricing.value as ApiResponse<Pricing>)}
          getSuccessMessage={() => t('saved')}
          onDone={() => {
            overriddenPricing.value = undefined
            reload()
          }}
          onClose={() => {
            overriddenPricing.value = undefined
          }}
        >
          <p class="about">{t('parts.override-text')}</p>
        </FormDialog>
      )}
    </PartFrame>
  )
}

/**
 * Overrides the prices of a part: an automatic recalculation since they were shown is ignored, but another user's override causes a
 * conflict.
 * @throws ApiError 412
 */
async function saveOverride(pk: string, values: Values, pricing: ApiResponse<Pricing>): Promise<void> {
  for (let { etag } = pricing; ; ) {
    const result = await change<Pricing>(`/api/part/${pk}/pricing/`, values, etag)
    if ('saved' in result) return
    const { conflict } = result
    if (OVERRIDE_FIELDS.some((name) => conflict.body[name] !== pricing.body[name]))
      throw new ApiError(412, 'precondition_failed', t('parts.changed-by-others'))
    etag = conflict.etag
  }
}

/** The prices missing from a plot: those in other currencies, and older ones that were not loaded. */
const OmittedPrices = ({ otherCurrencyCount, notLoadedCount }: { otherCurrencyCount: number; notLoadedCount: number }) =>
  otherCurrencyCount + notLoadedCount > 0 ? (
    <p class="quiet-text">
      {[
        otherCurrencyCount > 0 && count('parts.other-currencies', otherCurrencyCount),
        notLoadedCount > 0 && t('parts.older-prices', { count: formatNumber(notLoadedCount) }),
      ]
        .filter(Boolean)
        .join(' ')}
    </p>
  ) : null

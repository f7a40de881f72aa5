import pricingMetadata from 'metadata:/api/part/{id}/pricing/'
import { useSignal } from '@preact/signals'
import { Field, type Values } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { count, dateTime, money, number, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { useRead } from '../../kit/page/data.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { type PageProperties, Panel } from '../../kit/page/page.tsx'
import { Plot } from '../../kit/page/plot.tsx'
import { attempt } from '../../kit/page/toast.tsx'
import { ApiError, type ApiResponse, change, type Page as ListPage, withQuery } from '../../kit/service/api.ts'
import { may } from '../../kit/service/session.ts'
import { ShortTable } from '../../kit/table/short-table.tsx'
import { crumbsOf, type Framed, framed, PartFrame } from './part-frame.tsx'
import { purchasePricePoints, salePricePoints } from './part-history.tsx'
import { SuppliersPanel } from './part-panels.tsx'
import {
  MAX_ROWS,
  type OrderedLine,
  type PriceBreak,
  type PriceSource,
  type Pricing,
  type SoldLine,
  type SupplierPart,
} from './part-reading.ts'
import { PriceBreaks } from './price-breaks.tsx'

/** Number of prices of each kind loaded at a time. */
const STEP = 200

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
const BY_HAND = ['override_min', 'override_min_currency', 'override_max', 'override_max_currency'] as const

type PageData = Framed & {
  pricing: Pricing
  internal: ListPage<PriceBreak>
  sale: ListPage<PriceBreak>
  suppliers?: ListPage<SupplierPart>
  breaks?: ListPage<PriceBreak>
  ordered?: ListPage<OrderedLine>
  sold?: ListPage<SoldLine>
}

/** `/part/:pk/prices/`: the cost and the sale prices of a part, their sources, and their history. */
export function PartPrices({ at }: PageProperties) {
  const limit = useSignal(STEP)
  const pk = at.pk as string
  const ofBreaks = { part: pk, ordering: 'quantity', etag: true, limit: limit.value }
  const { data, error, reload } = useRead<PageData>(
    {
      ...framed(pk),
      pricing: `/api/part/${pk}/pricing/`,
      internal: withQuery('/api/part/internal-price/', ofBreaks),
      sale: withQuery('/api/part/sale-price/', ofBreaks),
      suppliers: withQuery('/api/company/part/', { part: pk, supplier_detail: true, limit: MAX_ROWS }),
      ...(may('view', 'purchase_order')
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
      ...(may('view', 'sales_order')
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
      // the service rejects a query for lines of a part that cannot be purchased
    },
    ['ordered'],
  )
  // the prices as they were when the override dialog was opened
  const overriding = useSignal<ApiResponse<Pricing> | undefined>(undefined)
  const mayChange = may('change', 'part')
  const override = () => {
    overriding.value = data?.pricing
  }
  async function workOut() {
    await attempt(() => change(`/api/part/${pk}/pricing/`, { update: true }, undefined))
    reload()
  }
  useCommands(
    () =>
      mayChange
        ? [
            { keys: 'o', label: () => t('parts.set-price'), run: override },
            { keys: 'w', label: () => t('parts.work-out'), run: workOut },
          ]
        : [],
    [mayChange, pk, data?.pricing],
  )
  if (error) return <LoadError error={error} crumbs={crumbsOf(undefined)} />
  if (!data) return null
  const part = data.part.body
  const pricing = data.pricing.body
  const rights = { add: may('add', 'part'), change: mayChange, delete: may('delete', 'part') }
  const bought = purchasePricePoints(data.ordered?.body.results ?? [])
  const sold = salePricePoints(data.sold?.body.results ?? [])
  const sources = SOURCES.map((name, pk) => ({ pk, name, min: pricing[`${name}_min`], max: pricing[`${name}_max`] })).filter(
    ({ min, max }) => min !== null || max !== null,
  )
  const currencyOf = (name: PriceSource, end: 'min' | 'max') =>
    name === 'override' ? pricing[`override_${end}_currency`] || pricing.currency : pricing.currency
  const more = () => {
    limit.value += STEP
  }
  const actions = mayChange && (
    <>
      <button type="button" onClick={override}>
        <Icon name="edit" />
        {t('parts.set-price')}
      </button>
      <button type="button" onClick={workOut}>
        <Icon name="count" />
        {t('parts.work-out')}
      </button>
    </>
  )
  return (
    <PartFrame data={data} tab="prices/" actions={actions}>
      <div class="columns">
        <div class="stack">
          <Panel title={t('parts.price-figures')}>
            {sources.length > 0 ? (
              <ShortTable
                title={t('parts.price-figures')}
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
                    cell: ({ name, min }) => money(min, currencyOf(name, 'min')),
                  },
                  {
                    name: 'max',
                    title: () => t('parts.highest'),
                    align: 'end',
                    cell: ({ name, max }) => money(max, currencyOf(name, 'max')),
                  },
                ]}
              />
            ) : (
              <p class="quiet-text">{t('parts.no-figures')}</p>
            )}
            <p class="quiet-text">
              {pricing.scheduled_for_update
                ? t('parts.being-worked-out')
                : pricing.updated && t('parts.worked-out', { moment: dateTime(pricing.updated) })}
            </p>
          </Panel>
          <SuppliersPanel
            part={part}
            mayAdd={false}
            parts={data.suppliers?.body.results ?? []}
            total={data.suppliers?.body.count ?? 0}
            breaks={data.breaks?.body.results ?? []}
          />
          {bought.points.length > 1 && (
            <Panel title={t('parts.bought-over-time')}>
              <Plot
                title={t('parts.bought-over-time')}
                points={bought.points}
                text={(amount) => money(amount, bought.currency)}
              />
              <Rest
                otherCurrencyCount={bought.otherCurrencyCount}
                unread={(data.ordered?.body.count ?? 0) - (data.ordered?.body.results.length ?? 0)}
              />
            </Panel>
          )}
          {sold.points.length > 1 && (
            <Panel title={t('parts.sold-over-time')}>
              <Plot title={t('parts.sold-over-time')} points={sold.points} text={(amount) => money(amount, sold.currency)} />
              <Rest
                otherCurrencyCount={sold.otherCurrencyCount}
                unread={(data.sold?.body.count ?? 0) - (data.sold?.body.results.length ?? 0)}
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
            onMore={more}
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
              onMore={more}
            />
          )}
        </div>
      </div>
      {overriding.value && (
        <FormDialog<unknown>
          title={t('parts.set-price')}
          metadata={pricingMetadata}
          start={{
            ...Object.fromEntries(BY_HAND.map((name) => [name, pricing[name]])),
            override_min_currency: pricing.override_min_currency || pricing.currency,
            override_max_currency: pricing.override_max_currency || pricing.currency,
          }}
          names={BY_HAND}
          without="rest"
          own={(form) => Object.fromEntries(BY_HAND.map((name) => [name, () => <Field form={form} name={name} help={null} />]))}
          button={t('save')}
          send={(values) => setByHand(pk, values, overriding.value as ApiResponse<Pricing>)}
          getSuccessMessage={() => t('saved')}
          onDone={() => {
            overriding.value = undefined
            reload()
          }}
          onClose={() => {
            overriding.value = undefined
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
 * @throws Refusal 412
 */
async function setByHand(pk: string, values: Values, pricing: ApiResponse<Pricing>): Promise<void> {
  for (let { etag } = pricing; ; ) {
    const result = await change<Pricing>(`/api/part/${pk}/pricing/`, values, etag)
    if ('saved' in result) return
    const { conflict } = result
    if (BY_HAND.some((name) => conflict.body[name] !== pricing.body[name]))
      throw new ApiError(412, 'precondition_failed', t('parts.changed-meanwhile'))
    etag = conflict.etag
  }
}

/** The prices missing from a plot: those in other currencies, and older ones that were not loaded. */
const Rest = ({ otherCurrencyCount, unread }: { otherCurrencyCount: number; unread: number }) =>
  otherCurrencyCount + unread > 0 ? (
    <p class="quiet-text">
      {[
        otherCurrencyCount > 0 && count('parts.other-currencies', otherCurrencyCount),
        unread > 0 && t('parts.older-prices', { count: number(unread) }),
      ]
        .filter(Boolean)
        .join(' ')}
    </p>
  ) : null

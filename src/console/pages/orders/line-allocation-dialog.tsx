import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { choiceLabel, count, formatNumber, formatWithUnit, t } from '../../kit/language/language.ts'
import { Badge, Empty } from '../../kit/page/page.tsx'
import { ApiError, type Page, read } from '../../kit/service/api.ts'
import { Dialog } from '../../kit/window/dialog.tsx'
import { getExpiry, OK_STATUS, type StockItem } from '../stock/stock-details.tsx'
import { AllocationForm, type Offer } from './allocation-form.tsx'
import type { PartBrief } from './order.ts'

/** Maximum number of parts in one dialog: the available stock of each is up to two URLs of a single request, which has at most 20. */
const MAX_PARTS = 10

/** A line of an order that stock is allocated to. */
type StockLine = { pk: number; part: number | null; part_detail: PartBrief | null }

type Properties<L extends StockLine> = {
  lines: readonly L[]
  /** The quantity still to allocate to a line. */
  getShortage: (line: L) => number
  /** The URLs of the available stock that is offered for a part, in the order of the offers: at most two. */
  getStockUrls: (part: number) => readonly string[]
  /** Whether a quantity of an item is proposed. */
  isUsable: (item: StockItem) => boolean
  /** What to do when no stock is available. */
  noStockHint: string
  /** Allocates the offers. @param key the Idempotency-Key @throws ApiError, with the errors of the offers by their index in `items` */
  send: (allocations: readonly Offer<L>[], key: string) => Promise<unknown>
  onClose: () => void
}

/** Allocates stock to the lines of an order that are short of it. */
export function LineAllocationDialog<L extends StockLine>(properties: Properties<L>) {
  const { lines, getShortage, getStockUrls, isUsable, noStockHint, send, onClose } = properties
  /** Available stock by part. */
  const stock = useSignal<ReadonlyMap<number, readonly StockItem[]> | undefined>(undefined)
  const problem = useSignal<string | undefined>(undefined)
  const shortLines = lines.filter((line) => line.part !== null && getShortage(line) > 0)
  const parts = [...new Set(shortLines.map(({ part }) => part as number))].slice(0, MAX_PARTS)
  const offeredLines = shortLines.filter(({ part }) => parts.includes(part as number))
  const shortageText = (line: L) => t('sales.required', { count: formatWithUnit(getShortage(line), line.part_detail?.units) })
  async function readStock(): Promise<void> {
    problem.value = undefined
    const urls = parts.map((part) => ({ part, offerUrls: getStockUrls(part) }))
    const named = urls.flatMap(({ part, offerUrls }) => offerUrls.map((url, index) => [`${part}-${index}`, url] as const))
    try {
      const pages = parts.length === 0 ? {} : await read<Record<string, Page<StockItem>>>(Object.fromEntries(named))
      stock.value = new Map(
        urls.map(({ part, offerUrls }) => [part, offerUrls.flatMap((_, index) => pages[`${part}-${index}`]?.body.results ?? [])]),
      )
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      problem.value = error.message
    }
  }
  useEffect(() => void readStock(), [])
  const title = t('sales.allocate-title')
  if (!stock.value && problem.value)
    return (
      <Dialog title={title} onClose={onClose}>
        <p class="problem" role="alert">
          {problem.value}
        </p>
        <div class="buttons">
          <button type="button" class="primary" onClick={readStock}>
            {t('sales.try-again')}
          </button>
        </div>
      </Dialog>
    )
  if (!stock.value) return null
  const getItems = ({ part }: L) => stock.value?.get(part as number) ?? []
  return (
    <Dialog title={title} onClose={onClose} size="wide">
      {offeredLines.every((line) => getItems(line).length === 0) ? (
        <Empty icon="box" title={t('sales.no-stock')}>
          {offeredLines.map((line) => (
            <p key={line.pk}>
              {line.part_detail?.name}: {shortageText(line)}
            </p>
          ))}
          <p>{noStockHint}</p>
        </Empty>
      ) : (
        <AllocationForm<L>
          lines={offeredLines}
          getItems={getItems}
          stock={stock.value}
          getShortage={getShortage}
          isUsable={isUsable}
          itemHeading={t('sales.from')}
          renderHeading={(line) => (
            <>
              {line.part_detail?.name} <small>{shortageText(line)}</small>
            </>
          )}
          renderItem={({ line, item }) => (
            <>
              {item.serial ? `#${item.serial}` : (item.batch ?? t('sales.item', { item: item.pk }))}
              {item.status !== OK_STATUS && (
                <>
                  {' '}
                  <Badge tone="warn">{choiceLabel('/api/stock/', 'status', item.status)}</Badge>
                </>
              )}
              {getExpiry(item) === 'expired' && (
                <>
                  {' '}
                  <Badge tone="bad">{t('stock.expired')}</Badge>
                </>
              )}
              {/* names the variant if the line allows several */}
              {item.part !== line.part && <span> {item.part_detail?.name}</span>}
              <small>{item.location_detail?.pathstring}</small>
            </>
          )}
          accessibleNames={({ line, item }) => ({
            part: line.part_detail?.name ?? '',
            item: item.serial ?? item.batch ?? item.pk,
          })}
          formatAvailable={(available) => formatNumber(available)}
          getButtonLabel={(chosenOffers) => count('sales.allocate-button', chosenOffers.length)}
          send={send}
          onClose={onClose}
        >
          {(table) => (
            <>
              {table}
              {offeredLines.length < shortLines.length && (
                <p class="quiet-text">
                  {t('sales.more-lines-short', { count: formatNumber(shortLines.length - offeredLines.length) })}
                </p>
              )}
            </>
          )}
        </AllocationForm>
      )}
    </Dialog>
  )
}

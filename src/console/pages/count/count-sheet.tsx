import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Problem } from '../../kit/form/form-footer.tsx'
import { count, formatNumber, t } from '../../kit/language/language.ts'
import { focusPage } from '../../kit/navigation/focus.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { navigate, readQuery, setQuery } from '../../kit/navigation/router.ts'
import { useRead } from '../../kit/page/data.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Empty, Page, type PageProperties } from '../../kit/page/page.tsx'
import { ShortcutKeys } from '../../kit/page/shortcut-keys.tsx'
import { showToast, warn } from '../../kit/page/toast.tsx'
import {
  ApiError,
  type ApiResponse,
  get,
  isNotExecuted,
  type Page as ListPage,
  newKey,
  post,
  withQuery,
} from '../../kit/service/api.ts'
import { hasPermission } from '../../kit/service/session.ts'
import { useScans } from '../../scanner/scanner.ts'
import { station } from '../../scanner/scans.tsx'
import { formatCode } from '../../scanner/station.ts'
import type { Location } from '../locations/location-details.ts'
import {
  ChangedEntries,
  type ChangedEntry,
  getExpectedValues,
  useExpectations,
  useExpectedValues,
} from '../stock/expectations.tsx'
import { NewStock } from '../stock/new-stock.tsx'
import { ReleaseChoices, useAllocationRelease } from '../stock/release.tsx'
import { DETAILS, formatItemTitle, isInStock, type StockItem } from '../stock/stock-details.tsx'
import { getCombinedUndo, UNDOABLE } from '../stock/undo.ts'
import { useConfirmQuantities } from '../stock/unusual-quantities.tsx'
import { CountTable } from './count-lines.tsx'
import { buildCountRequest, type CountRow, compareCounts, LOST_STATUS, type TypedCounts } from './count-rows.ts'
import { MisplacedItem } from './misplaced-item.tsx'
import { CountForbidden } from './select-location.tsx'

/** Maximum number of stock items of a location that are counted together. */
const MAX_ITEMS = 500

/**
 * `/stock/count/:pk/`: counts a location. Quantities are typed line by line, and posted in one request. They stay in this tab until they
 * are posted.
 */
export const CountSheetPage = (properties: PageProperties) =>
  hasPermission('add', 'stock') ? <LocationCount {...properties} /> : <CountForbidden />

function LocationCount({ params }: PageProperties) {
  const locationKey = Number(params.pk)
  const isDeep = readQuery('cascade') === 'true'
  const from = Math.max(0, Number.parseInt(readQuery('from') ?? '0', 10) || 0)
  const list = withQuery('/api/stock/', {
    ...DETAILS,
    location: locationKey,
    cascade: isDeep,
    in_stock: true,
    ordering: isDeep ? 'location,part__name' : 'part__name',
    limit: MAX_ITEMS,
    offset: from || undefined,
  })
  const {
    data,
    error: loadError,
    reload,
  } = useRead<{ location: Location; items: ListPage<StockItem> }>({
    location: withQuery(`/api/stock/location/${locationKey}/`, { path_detail: true }),
    items: list,
  })
  const counted = useTypedCounts(locationKey)
  const isAdding = useSignal(false)
  const confirmation = useConfirmQuantities()
  const items = data?.items.body.results ?? NO_ITEMS
  const posting = useCountPosting(counted, reload)
  const isBlind = readQuery('blind') === 'true'
  const postCount = useRef(() => {})
  postCount.current = () => {
    const rows = compareCounts(items, counted.peek())
    if (isReady(rows)) confirmation.before(rows, () => posting.send(compareCounts(items, counted.peek())))
  }
  const openNewStock = () => {
    isAdding.value = true
  }
  const scans = useCountScans({
    locationKey,
    items,
    isPartial: (data?.items.body.count ?? 0) > items.length,
    isDeep,
    counted,
    reload,
  })
  useCommands(() => [
    { keys: 'Ctrl+Enter', label: () => t('count.post'), run: () => postCount.current() },
    { keys: 'Alt+N', label: () => t('count.unexpected-item'), run: openNewStock },
  ])
  const crumbs = [
    { text: t('count.title'), to: '/stock/count/' },
    ...(data?.location.body.path ?? []).map(({ pk, name }) => ({ text: name, to: `/stock/location/${pk}/` })),
  ]
  if (loadError) return <LoadError error={loadError} crumbs={crumbs} />
  if (!data) return null
  const location = data.location.body
  const { count: total } = data.items.body
  const actions = !location.structural && (
    <button type="button" onClick={openNewStock}>
      <Icon name="plus" />
      {t('count.unexpected-item')}
    </button>
  )
  const setOption = (name: string, isTicked: boolean) => setQuery({ [name]: isTicked ? 'true' : undefined }, { replace: true })
  return (
    <Page title={t('count.of', { place: location.name })} crumbs={crumbs} actions={actions}>
      <div class="count-choices">
        <p class="quiet-text">{t(isBlind ? 'count.hint-blind' : 'count.hint')}</p>
        <label class="checkbox-line">
          <input type="checkbox" checked={isBlind} onChange={(event) => setOption('blind', event.currentTarget.checked)} />
          {t('count.blind')}
        </label>
        {location.sublocations > 0 && (
          <label class="checkbox-line">
            <input
              type="checkbox"
              checked={isDeep}
              onChange={(event) => {
                setQuery({ from: undefined }, { replace: true })
                setOption('cascade', event.currentTarget.checked)
              }}
            />
            {t('locations.with-children')}
          </label>
        )}
      </div>
      {(total > items.length || from > 0) && <CountPages from={from} rowCount={items.length} total={total} />}
      {items.length === 0 ? (
        <Empty icon="box" title={t('locations.no-stock')}>
          {actions}
        </Empty>
      ) : (
        <>
          <CountTable items={items} counted={counted} isBlind={isBlind} isDeep={isDeep} />
          <Footer items={items} counted={counted} posting={posting} onPost={() => postCount.current()} />
        </>
      )}
      {confirmation.question}
      {scans.misplacedItem.value && (
        <MisplacedItem
          key={scans.misplacedItem.value.pk}
          item={scans.misplacedItem.value}
          location={location}
          onMoved={scans.onMoved}
          onClose={() => {
            scans.misplacedItem.value = undefined
          }}
        />
      )}
      {isAdding.value && (
        <NewStock
          location={locationKey}
          onCreated={reload}
          onClose={() => {
            isAdding.value = false
          }}
        />
      )}
    </Page>
  )
}

const NO_ITEMS: readonly StockItem[] = []

/** Whether something was counted, and every typed text is a quantity. */
const isReady = (rows: readonly CountRow[]): boolean =>
  rows.some(({ quantity }) => quantity !== undefined) && !rows.some(({ isInvalid }) => isInvalid)

/** Navigation between the pages of a long count: the range of this page, and buttons for the previous and the next page. */
const CountPages = ({ from, rowCount, total }: { from: number; rowCount: number; total: number }) => (
  <nav class="count-choices" aria-label={t('count.pages')}>
    <p class="quiet-text">
      {t('count.page', { from: formatNumber(from + 1), to: formatNumber(from + rowCount), count: formatNumber(total) })}{' '}
      {t('count.page-by-page')}
    </p>
    {from > 0 && (
      <button type="button" onClick={() => setQuery({ from: from > MAX_ITEMS ? String(from - MAX_ITEMS) : undefined })}>
        {t('count.previous-page')}
      </button>
    )}
    {from + rowCount < total && (
      <button type="button" onClick={() => setQuery({ from: String(from + MAX_ITEMS) })}>
        {t('count.next-page')}
      </button>
    )}
  </nav>
)

type FooterProperties = {
  items: readonly StockItem[]
  counted: Signal<TypedCounts>
  posting: CountPosting
  onPost: () => void
}

/** Progress of the count, and a button to post it. */
function Footer({ items, counted, posting, onPost }: FooterProperties) {
  const rows = compareCounts(items, counted.value)
  const countedRows = rows.filter(({ quantity }) => quantity !== undefined)
  const differences = countedRows.filter(({ difference }) => difference !== 0)
  return (
    <footer class="count-foot">
      <Problem form={posting} />
      <ChangedEntries expectations={posting.expectations} isCount onRetry={posting.countAgain} onAccept={posting.acceptCurrent} />
      <ReleaseChoices releasing={posting.releasing} />
      <output>
        {t('count.progress', { done: countedRows.length, all: rows.length })}
        {' · '}
        <strong class={differences.length > 0 ? 'has-difference' : ''}>{count('count.differences', differences.length)}</strong>
      </output>
      <button type="button" class="primary" disabled={!isReady(rows) || posting.isBusy.value} onClick={onPost}>
        <Icon name="check" />
        {t('count.post')}
        <ShortcutKeys keys="Ctrl+Enter" />
      </button>
    </footer>
  )
}

type ScanOptions = {
  locationKey: number
  items: readonly StockItem[]
  /** Whether the location has more items than these. */
  isPartial: boolean
  /** Whether the count includes child locations. */
  isDeep: boolean
  counted: Signal<TypedCounts>
  reload: () => void
}

/**
 * Moves to the line of a scanned item; scanning a serialized item counts it. Scanning another location opens the count of that location. Asks
 * whether to move an item that is recorded elsewhere.
 */
function useCountScans({ locationKey, items, isPartial, isDeep, counted, reload }: ScanOptions) {
  const misplacedItem = useSignal<StockItem | undefined>(undefined)
  // the key of an item whose line appears once the lines are reloaded
  const awaitedKey = useRef<number | undefined>(undefined)
  const count = (item: StockItem) => {
    if (item.serial) counted.value = { ...counted.value, [item.pk]: '1' }
    document.querySelector<HTMLInputElement>(`input[data-item="${item.pk}"]`)?.focus()
  }
  const reloadAndCount = (item: StockItem) => {
    awaitedKey.current = item.pk
    reload()
  }
  useEffect(() => {
    const item = items.find(({ pk }) => pk === awaitedKey.current)
    if (!item) return
    awaitedKey.current = undefined
    count(item)
  }, [items])
  useScans(async (code) => {
    const activeStation = station.value
    if (!activeStation) return
    const reject = (text: string) => {
      warn(text)
      activeStation.report({ tone: 'rejected', text, detail: formatCode(code) })
    }
    if (misplacedItem.value) return reject(t('count.decide-first'))
    const cached = activeStation.findCached(code)
    const result = cached ? { object: cached } : await activeStation.lookUp(code)
    const object = 'object' in result ? result.object : undefined
    if (object?.kind === 'stocklocation') return navigate(`/stock/count/${object.pk}/`)
    const isItem = object?.kind === 'stockitem'
    const item = isItem ? items.find(({ pk }) => pk === object.pk) : undefined
    if (item) {
      count(item)
      return activeStation.report({ tone: 'found', text: formatItemTitle(item) })
    }
    const otherItem = isItem ? await readItem(object.pk) : undefined
    if (isPartial && (!otherItem || isDeep || otherItem.location === locationKey)) return reject(t('count.not-in-list'))
    if (!otherItem) return reject(t('count.not-in-location'))
    if (!isInStock(otherItem)) return reject(t('count.not-in-stock', { item: formatItemTitle(otherItem) }))
    // it was moved here after the lines were loaded
    if (otherItem.location === locationKey) return reloadAndCount(otherItem)
    activeStation.playSound('rejected')
    misplacedItem.value = otherItem
  })
  return { misplacedItem, onMoved: () => misplacedItem.value && reloadAndCount(misplacedItem.value) }
}

/** Reads a stock item; undefined if it does not exist, or cannot be read now. */
async function readItem(pk: number): Promise<StockItem | undefined> {
  try {
    return (await get<StockItem>(withQuery(`/api/stock/${pk}/`, DETAILS))).body
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Typed quantities, which stay in this tab when the user leaves or reloads the page. */
function useTypedCounts(locationKey: number): Signal<TypedCounts> {
  const storageKey = `stockroom.count.${locationKey}`
  const typedCounts = useSignal<TypedCounts>(JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as TypedCounts)
  useEffect(
    () =>
      typedCounts.subscribe((now) => {
        if (Object.keys(now).length > 0) sessionStorage.setItem(storageKey, JSON.stringify(now))
        else sessionStorage.removeItem(storageKey)
      }),
    [],
  )
  return typedCounts
}

type CountPosting = ReturnType<typeof useCountPosting>

/**
 * Posts the count, once however often it is retried. If stock has changed during the count, nothing is posted, the current quantities are
 * shown, and the user decides.
 */
function useCountPosting(counted: Signal<TypedCounts>, reload: () => void) {
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const keys = useRef({ count: newKey(), lost: newKey() })
  const expectations = useExpectations()
  const releasing = useAllocationRelease()
  const first = useExpectedValues(({ pk }: StockItem) => pk, getExpectedValues)
  /** The keys of the items that were sent. */
  const sentKeys = useRef<readonly number[]>([])
  async function send(rows: readonly CountRow[]): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    problem.value = undefined
    const { items, lost } = buildCountRequest(rows, (item) => ({ ...first.getExpected(item), ...releasing.getFields(item.pk) }))
    const sentCounts = counted.value
    let postedCount = 0
    const responses: ApiResponse<unknown>[] = []
    let part: 'count' | 'lost' = 'count'
    const markPosted = (pks: readonly number[]) => {
      keys.current[part] = newKey()
      first.forget()
      postedCount += pks.length
      // text typed after sending is not posted
      const isOpen = ([pk, typed]: [string, string]) => !pks.includes(Number(pk)) || typed !== sentCounts[Number(pk)]
      counted.value = Object.fromEntries(Object.entries(counted.value).filter(isOpen))
    }
    const getCountedItem = (index: number) => {
      const { pk, quantity } = items[index] as (typeof items)[number]
      const item = rows.find((row) => row.item.pk === pk)?.item as StockItem
      return { pk, quantity, name: formatItemTitle(item), units: item.part_detail?.units }
    }
    const postCount = async () => {
      if (items.length > 0) {
        responses.push(
          await releasing.send(getCountedItem, () => post('/api/stock/count/', { items, ...UNDOABLE }, keys.current.count)),
        )
        markPosted(items.map(({ pk }) => pk))
      }
      part = 'lost'
      if (lost.length > 0) {
        responses.push(
          await post('/api/stock/change_status/', { items: lost, status: LOST_STATUS, ...UNDOABLE }, keys.current.lost),
        )
        markPosted(lost)
      }
    }
    try {
      sentKeys.current = items.map(({ pk }) => pk)
      const cached = new Map(rows.map(({ item }) => [item.pk, item]))
      await expectations.send((index) => formatItemTitle(cached.get(items[index]?.pk as number) as StockItem), reload, postCount)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // a request without a response may have succeeded: it is resent with the same keys
      if (isNotExecuted(error)) {
        keys.current[part] = newKey()
        first.forget()
      }
      problem.value = error.text
    } finally {
      isBusy.value = false
      if (postedCount > 0) {
        showToast(count('count.posted', postedCount), getCombinedUndo(responses))
        reload()
        // in an input, the shortcut for undo would type text
        if (Object.keys(counted.value).length === 0) focusPage()
      }
    }
  }
  /** Counts these items with their current quantities. */
  const acceptCurrent = (changed: readonly ChangedEntry[]) => {
    const result = changed.flatMap(({ index, found: result }) =>
      result === undefined ? [] : [[sentKeys.current[index], result] as const],
    )
    counted.value = { ...counted.value, ...Object.fromEntries(result) }
  }
  const countAgain = ([first]: readonly ChangedEntry[]) =>
    document.querySelector<HTMLInputElement>(`input[data-item="${sentKeys.current[first?.index ?? 0]}"]`)?.focus()
  return { send, problem, isBusy, expectations, releasing, acceptCurrent, countAgain }
}

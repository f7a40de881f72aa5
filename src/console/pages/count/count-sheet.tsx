import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Problem } from '../../kit/form/form-footer.tsx'
import { count, number, t } from '../../kit/language/language.ts'
import { focusPage } from '../../kit/navigation/focus.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { navigate, query, setQuery } from '../../kit/navigation/router.ts'
import { useRead } from '../../kit/page/data.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Empty, Page, type PageProperties } from '../../kit/page/page.tsx'
import { Keys } from '../../kit/page/shortcut-keys.tsx'
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
import { may } from '../../kit/service/session.ts'
import { useScans } from '../../scanner/scanner.ts'
import { station } from '../../scanner/scans.tsx'
import { shortened } from '../../scanner/station.ts'
import type { Location } from '../locations/location-details.ts'
import { Changed, type ChangedEntry, expectedOf, useExpectations, useFirstExpected } from '../stock/expectations.tsx'
import { NewStock } from '../stock/new-stock.tsx'
import { ReleaseChoices, useReleasing } from '../stock/release.tsx'
import { DETAILS, isInStock, type StockItem, titleOf } from '../stock/stock-details.tsx'
import { UNDOABLE, undoOfAll } from '../stock/undo.ts'
import { useConfirmQuantities } from '../stock/unusual-quantities.tsx'
import { CountTable } from './count-lines.tsx'
import { type Counted, type CountedRow, countRequestOf, LOST, rowsOf } from './count-rows.ts'
import { MisplacedItem } from './misplaced-item.tsx'
import { CountForbidden } from './select-location.tsx'

/** Maximum number of stock items of a location that are counted together. */
const MAX_ITEMS = 500

/**
 * `/stock/count/:pk/`: counts a location. Quantities are typed line by line, and posted in one request. They stay in this tab until they
 * are posted.
 */
export const CountSheet = (properties: PageProperties) =>
  may('add', 'stock') ? <Counting {...properties} /> : <CountForbidden />

function Counting({ at }: PageProperties) {
  const locationKey = Number(at.pk)
  const isDeep = query('cascade') === 'true'
  const from = Math.max(0, Number.parseInt(query('from') ?? '0', 10) || 0)
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
  const counted = useCounted(locationKey)
  const isAdding = useSignal(false)
  const doubts = useConfirmQuantities()
  const items = data?.items.body.results ?? NO_ITEMS
  const posting = useCountPosting(counted, reload)
  const isBlind = query('blind') === 'true'
  const book = useRef(() => {})
  book.current = () => {
    const rows = rowsOf(items, counted.peek())
    if (isReady(rows)) doubts.before(rows, () => posting.send(rowsOf(items, counted.peek())))
  }
  const add = () => {
    isAdding.value = true
  }
  const scans = useRowsByScan({
    locationKey,
    items,
    isPart: (data?.items.body.count ?? 0) > items.length,
    isDeep,
    counted,
    reload,
  })
  useCommands(() => [
    { keys: 'Ctrl+Enter', label: () => t('count.book'), run: () => book.current() },
    { keys: 'Alt+N', label: () => t('count.found'), run: add },
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
    <button type="button" onClick={add}>
      <Icon name="plus" />
      {t('count.found')}
    </button>
  )
  const tick = (name: string, isTicked: boolean) => setQuery({ [name]: isTicked ? 'true' : undefined }, { replace: true })
  return (
    <Page title={t('count.of', { place: location.name })} crumbs={crumbs} actions={actions}>
      <div class="count-choices">
        <p class="quiet-text">{t(isBlind ? 'count.hint-blind' : 'count.hint')}</p>
        <label class="tick-line">
          <input type="checkbox" checked={isBlind} onChange={(event) => tick('blind', event.currentTarget.checked)} />
          {t('count.blind')}
        </label>
        {location.sublocations > 0 && (
          <label class="tick-line">
            <input
              type="checkbox"
              checked={isDeep}
              onChange={(event) => {
                setQuery({ from: undefined }, { replace: true })
                tick('cascade', event.currentTarget.checked)
              }}
            />
            {t('locations.with-inside')}
          </label>
        )}
      </div>
      {(total > items.length || from > 0) && <Parts from={from} here={items.length} total={total} />}
      {items.length === 0 ? (
        <Empty icon="box" title={t('locations.nothing')}>
          {actions}
        </Empty>
      ) : (
        <>
          <CountTable items={items} counted={counted} isBlind={isBlind} isDeep={isDeep} />
          <Footer items={items} counted={counted} posting={posting} onPost={() => book.current()} />
        </>
      )}
      {doubts.question}
      {scans.stray.value && (
        <MisplacedItem
          key={scans.stray.value.pk}
          item={scans.stray.value}
          location={location}
          onMoved={scans.onMoved}
          onClose={() => {
            scans.stray.value = undefined
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
const isReady = (rows: readonly CountedRow[]): boolean =>
  rows.some(({ quantity }) => quantity !== undefined) && !rows.some(({ isInvalid: isWrong }) => isWrong)

/** Navigation between parts of a long count: the position of this one, and the parts before and after it. */
const Parts = ({ from, here, total }: { from: number; here: number; total: number }) => (
  <nav class="count-choices" aria-label={t('count.parts')}>
    <p class="quiet-text">
      {t('count.part', { from: number(from + 1), to: number(from + here), count: number(total) })} {t('count.part-by-part')}
    </p>
    {from > 0 && (
      <button type="button" onClick={() => setQuery({ from: from > MAX_ITEMS ? String(from - MAX_ITEMS) : undefined })}>
        {t('count.part-before')}
      </button>
    )}
    {from + here < total && (
      <button type="button" onClick={() => setQuery({ from: String(from + MAX_ITEMS) })}>
        {t('count.part-after')}
      </button>
    )}
  </nav>
)

type FooterProperties = {
  items: readonly StockItem[]
  counted: Signal<Counted>
  posting: CountPosting
  onPost: () => void
}

/** Progress of the count, and a button to post it. */
function Footer({ items, counted, posting, onPost }: FooterProperties) {
  const rows = rowsOf(items, counted.value)
  const countedRows = rows.filter(({ quantity }) => quantity !== undefined)
  const differing = countedRows.filter(({ difference }) => difference !== 0)
  return (
    <footer class="count-foot">
      <Problem form={posting} />
      <Changed expectations={posting.expectations} isCount onRetry={posting.countAgain} onAccept={posting.take} />
      <ReleaseChoices releasing={posting.releasing} />
      <output>
        {t('count.progress', { done: countedRows.length, all: rows.length })}
        {' · '}
        <strong class={differing.length > 0 ? 'differs' : ''}>{count('count.differences', differing.length)}</strong>
      </output>
      <button type="button" class="primary" disabled={!isReady(rows) || posting.isBusy.value} onClick={onPost}>
        <Icon name="check" />
        {t('count.book')}
        <Keys keys="Ctrl+Enter" />
      </button>
    </footer>
  )
}

type ByScan = {
  locationKey: number
  items: readonly StockItem[]
  /** Whether the location has more items than these. */
  isPart: boolean
  /** Whether the count includes child locations. */
  isDeep: boolean
  counted: Signal<Counted>
  reload: () => void
}

/**
 * Moves to the scanned item's line; scanning a serialized item counts it. Scanning another location counts that one instead. For an item
 * that is recorded elsewhere, asks whether to move it here.
 */
function useRowsByScan({ locationKey, items, isPart, isDeep, counted, reload }: ByScan) {
  const stray = useSignal<StockItem | undefined>(undefined)
  // its line appears once the lines are reloaded
  const awaited = useRef<number | undefined>(undefined)
  const count = (item: StockItem) => {
    if (item.serial) counted.value = { ...counted.value, [item.pk]: '1' }
    document.querySelector<HTMLInputElement>(`input[data-item="${item.pk}"]`)?.focus()
  }
  const comes = (item: StockItem) => {
    awaited.current = item.pk
    reload()
  }
  useEffect(() => {
    const item = items.find(({ pk }) => pk === awaited.current)
    if (!item) return
    awaited.current = undefined
    count(item)
  }, [items])
  useScans(async (code) => {
    const activeStation = station.value
    if (!activeStation) return
    const refuse = (text: string) => {
      warn(text)
      activeStation.report({ tone: 'refused', text, more: shortened(code) })
    }
    if (stray.value) return refuse(t('count.answer-first'))
    const cached = activeStation.findCached(code)
    const result = cached ? { object: cached } : await activeStation.lookUp(code)
    const object = 'object' in result ? result.object : undefined
    if (object?.kind === 'stocklocation') return navigate(`/stock/count/${object.pk}/`)
    const isItem = object?.kind === 'stockitem'
    const item = isItem ? items.find(({ pk }) => pk === object.pk) : undefined
    if (item) {
      count(item)
      return activeStation.report({ tone: 'found', text: titleOf(item) })
    }
    const otherItem = isItem ? await readItem(object.pk) : undefined
    if (isPart && (!otherItem || isDeep || otherItem.location === locationKey)) return refuse(t('count.not-shown'))
    if (!otherItem) return refuse(t('count.not-here'))
    if (!isInStock(otherItem)) return refuse(t('count.not-in-stock', { item: titleOf(otherItem) }))
    // it was moved here after the lines were loaded
    if (otherItem.location === locationKey) return comes(otherItem)
    activeStation.playSound('refused')
    stray.value = otherItem
  })
  return { stray, onMoved: () => stray.value && comes(stray.value) }
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
function useCounted(locationKey: number): Signal<Counted> {
  const storageKey = `stockroom.count.${locationKey}`
  const counted = useSignal<Counted>(JSON.parse(sessionStorage.getItem(storageKey) ?? '{}') as Counted)
  useEffect(
    () =>
      counted.subscribe((now) => {
        if (Object.keys(now).length > 0) sessionStorage.setItem(storageKey, JSON.stringify(now))
        else sessionStorage.removeItem(storageKey)
      }),
    [],
  )
  return counted
}

type CountPosting = ReturnType<typeof useCountPosting>

/**
 * Posts the count, once however often it is retried. If stock has changed during the count, nothing is posted, the current quantities are
 * shown, and the user decides.
 */
function useCountPosting(counted: Signal<Counted>, reload: () => void) {
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const keys = useRef({ count: newKey(), lost: newKey() })
  const expectations = useExpectations()
  const releasing = useReleasing()
  const first = useFirstExpected(({ pk }: StockItem) => pk, expectedOf)
  /** The keys of the items that were sent. */
  const sentKeys = useRef<readonly number[]>([])
  async function send(rows: readonly CountedRow[]): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    problem.value = undefined
    const { items, lost } = countRequestOf(rows, (item) => ({ ...first.of(item), ...releasing.of(item.pk) }))
    const sent = counted.value
    let booked = 0
    const responses: ApiResponse<unknown>[] = []
    let part: 'count' | 'lost' = 'count'
    const isBooked = (pks: readonly number[]) => {
      keys.current[part] = newKey()
      first.forget()
      booked += pks.length
      // text typed after sending is not posted
      const isOpen = ([pk, typed]: [string, string]) => !pks.includes(Number(pk)) || typed !== sent[Number(pk)]
      counted.value = Object.fromEntries(Object.entries(counted.value).filter(isOpen))
    }
    const countedAt = (at: number) => {
      const { pk, quantity } = items[at] as (typeof items)[number]
      const item = rows.find((row) => row.item.pk === pk)?.item as StockItem
      return { pk, quantity, name: titleOf(item), units: item.part_detail?.units }
    }
    const book = async () => {
      if (items.length > 0) {
        responses.push(
          await releasing.send(countedAt, () => post('/api/stock/count/', { items, ...UNDOABLE }, keys.current.count)),
        )
        isBooked(items.map(({ pk }) => pk))
      }
      part = 'lost'
      if (lost.length > 0) {
        responses.push(await post('/api/stock/change_status/', { items: lost, status: LOST, ...UNDOABLE }, keys.current.lost))
        isBooked(lost)
      }
    }
    try {
      sentKeys.current = items.map(({ pk }) => pk)
      const cached = new Map(rows.map(({ item }) => [item.pk, item]))
      await expectations.send((at) => titleOf(cached.get(items[at]?.pk as number) as StockItem), reload, book)
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
      if (booked > 0) {
        showToast(count('count.booked', booked), undoOfAll(responses))
        reload()
        // in a line, the undo key would be text
        if (Object.keys(counted.value).length === 0) focusPage()
      }
    }
  }
  /** Counts these items with their current quantities. */
  const take = (changed: readonly ChangedEntry[]) => {
    const result = changed.flatMap(({ at, found: result }) =>
      result === undefined ? [] : [[sentKeys.current[at], result] as const],
    )
    counted.value = { ...counted.value, ...Object.fromEntries(result) }
  }
  const countAgain = ([first]: readonly ChangedEntry[]) =>
    document.querySelector<HTMLInputElement>(`input[data-item="${sentKeys.current[first?.at ?? 0]}"]`)?.focus()
  return { send, problem, isBusy, expectations, releasing, take, countAgain }
}

import { type Signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type Page as ListPage, newKey, post, Refusal, wasNotDone, withQuery } from '../../kit/api.ts'
import { useRead } from '../../kit/data.ts'
import { Icon } from '../../kit/icon.tsx'
import { useCommands } from '../../kit/keys.ts'
import { count, decimalSign, label, number, quantity, t } from '../../kit/language.ts'
import { Empty, Page, type PageProperties } from '../../kit/page.tsx'
import { Refused } from '../../kit/refused.tsx'
import { navigate, query, setQuery } from '../../kit/router.ts'
import { may } from '../../kit/session.ts'
import { tell, warn } from '../../kit/toast.tsx'
import { useScans } from '../../scanner/scanner.ts'
import { station } from '../../scanner/scans.tsx'
import { shortened } from '../../scanner/station.ts'
import type { Location } from '../locations/location-facts.ts'
import { NewStock } from '../stock/new-stock.tsx'
import { DETAILS, markOf, quantityOf, type StockItem } from '../stock/stock-facts.tsx'
import { bookingOf, type Counted, type CountedRow, LOST, rowsOf } from './count-rows.ts'
import { MayNotCount } from './may-not-count.tsx'

/** The most stock items of a place that are counted at once. */
const MOST = 500

/**
 * `/stock/count/:pk/`: a place is counted. What is there is typed from line to line, and booked in one request. What was typed stays, in this
 * tab, until it is booked.
 */
export const CountSheet = (properties: PageProperties) => (may('add', 'stock') ? <Counting {...properties} /> : <MayNotCount />)

function Counting({ at }: PageProperties) {
  const place = Number(at.pk)
  const isDeep = query('cascade') === 'true'
  const { data, refusal, again } = useRead<{ location: Location; items: ListPage<StockItem> }>({
    location: withQuery(`/api/stock/location/${place}/`, { path_detail: true }),
    items: withQuery('/api/stock/', {
      ...DETAILS,
      location: place,
      cascade: isDeep,
      in_stock: true,
      ordering: isDeep ? 'location,part__name' : 'part__name',
      limit: MOST,
    }),
  })
  const counted = useCounted(place)
  const isAdding = useSignal(false)
  const booking = useBooking(counted, again)
  const rows = rowsOf(data?.items.body.results ?? [], counted.value)
  const done = rows.filter(({ quantity }) => quantity !== undefined)
  const isReady = done.length > 0 && !rows.some(({ isWrong }) => isWrong)
  const book = useRef(() => {})
  book.current = () => {
    if (isReady) booking.send(rows)
  }
  const add = () => {
    isAdding.value = true
  }
  useRowsByScan(rows, counted)
  useCommands(() => [
    { keys: 'Ctrl+Enter', label: () => t('count.book'), run: () => book.current() },
    { keys: 'Alt+N', label: () => t('count.found'), run: add },
  ])
  const crumbs = [
    { text: t('count.title'), to: '/stock/count/' },
    ...(data?.location.body.path ?? []).map(({ pk, name }) => ({ text: name, to: `/stock/location/${pk}/` })),
  ]
  if (refusal) return <Refused refusal={refusal} crumbs={crumbs} />
  if (!data) return null
  const location = data.location.body
  const { count: total } = data.items.body
  const differing = done.filter(({ difference }) => difference !== 0)
  const isBlind = query('blind') === 'true'
  const actions = may('add', 'stock') && !location.structural && (
    <button type="button" onClick={add}>
      <Icon name="plus" />
      {t('count.found')}
    </button>
  )
  return (
    <Page title={t('count.of', { place: location.name })} crumbs={crumbs} actions={actions}>
      <div class="count-choices">
        <p class="quiet-text">{t(isBlind ? 'count.hint-blind' : 'count.hint')}</p>
        <label class="tick-line">
          <input
            type="checkbox"
            checked={isBlind}
            onChange={(event) => setQuery({ blind: event.currentTarget.checked ? 'true' : undefined }, { replace: true })}
          />
          {t('count.blind')}
        </label>
        {location.sublocations > 0 && (
          <label class="tick-line">
            <input
              type="checkbox"
              checked={isDeep}
              onChange={(event) => setQuery({ cascade: event.currentTarget.checked ? 'true' : undefined }, { replace: true })}
            />
            {t('locations.with-inside')}
          </label>
        )}
      </div>
      {total > rows.length && <p class="problem">{t('count.too-many', { count: number(total), most: MOST })}</p>}
      {rows.length === 0 ? (
        <Empty icon="box" title={t('locations.nothing')}>
          {actions}
        </Empty>
      ) : (
        <Sheet rows={rows} counted={counted} isBlind={isBlind} isDeep={isDeep} />
      )}
      {rows.length > 0 && (
        <footer class="count-foot">
          <div role="alert">{booking.problem.value && <p class="problem">{booking.problem.value}</p>}</div>
          <output>
            {t('count.progress', { done: done.length, all: rows.length })}
            {' · '}
            <strong class={differing.length > 0 ? 'differs' : ''}>{count('count.differences', differing.length)}</strong>
          </output>
          <button type="button" class="primary" disabled={!isReady || booking.isBusy.value} onClick={() => book.current()}>
            <Icon name="check" />
            {t('count.book')}
            <kbd>Ctrl</kbd>
            <kbd>Enter</kbd>
          </button>
        </footer>
      )}
      {isAdding.value && (
        <NewStock
          location={place}
          onMade={again}
          onClose={() => {
            isAdding.value = false
          }}
        />
      )}
    </Page>
  )
}

/** What is scanned is counted next; of what has a serial number the scan itself says that it is there. Another place is counted instead. */
function useRowsByScan(rows: readonly CountedRow[], counted: Signal<Counted>): void {
  useScans(async (code) => {
    const mine = station.value
    if (!mine) return
    const known = mine.knownAs(code)
    const found = known ? { object: known } : await mine.lookUp(code)
    const object = 'object' in found ? found.object : undefined
    if (object?.kind === 'stocklocation') return navigate(`/stock/count/${object.pk}/`)
    const row = rows.find(({ item }) => object?.kind === 'stockitem' && item.pk === object.pk)
    if (!row) {
      const text = t('count.not-here')
      warn(text)
      return mine.say({ tone: 'refused', text, more: shortened(code) })
    }
    const { item } = row
    if (item.serial) counted.value = { ...counted.value, [item.pk]: '1' }
    document.querySelector<HTMLInputElement>(`input[data-item="${item.pk}"]`)?.focus()
    mine.say({ tone: 'found', text: [item.part_detail?.full_name, markOf(item)].filter(Boolean).join(' · ') })
  })
}

/** What was typed, which stays in this tab when the page is left or loaded anew. */
function useCounted(place: number): Signal<Counted> {
  const kept = `stockroom.count.${place}`
  const counted = useSignal<Counted>(JSON.parse(sessionStorage.getItem(kept) ?? '{}') as Counted)
  useEffect(
    () =>
      counted.subscribe((now) => {
        if (Object.keys(now).length > 0) sessionStorage.setItem(kept, JSON.stringify(now))
        else sessionStorage.removeItem(kept)
      }),
    [],
  )
  return counted
}

/** Sends what was counted, once however often it is tried. */
function useBooking(counted: Signal<Counted>, again: () => void) {
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  const keys = useRef({ count: newKey(), lost: newKey() })
  async function send(rows: readonly CountedRow[]): Promise<void> {
    if (isBusy.value) return
    isBusy.value = true
    problem.value = undefined
    const { items, lost } = bookingOf(rows)
    const sent = counted.value
    let booked = 0
    let part: 'count' | 'lost' = 'count'
    const isBooked = (pks: readonly number[]) => {
      keys.current[part] = newKey()
      booked += pks.length
      // what was typed meanwhile is not booked
      const isOpen = ([pk, typed]: [string, string]) => !pks.includes(Number(pk)) || typed !== sent[Number(pk)]
      counted.value = Object.fromEntries(Object.entries(counted.value).filter(isOpen))
    }
    try {
      if (items.length > 0) {
        await post('/api/stock/count/', { items }, keys.current.count)
        isBooked(items.map(({ pk }) => pk))
      }
      part = 'lost'
      if (lost.length > 0) {
        await post('/api/stock/change_status/', { items: lost, status: LOST }, keys.current.lost)
        isBooked(lost)
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      // what was never answered may have been booked: it is sent again under the same keys
      if (wasNotDone(error)) keys.current[part] = newKey()
      problem.value = error.status === 0 ? t('unreachable') : Object.values(error.fields).flat().join(' ') || error.message
    } finally {
      isBusy.value = false
      if (booked > 0) {
        tell(count('count.booked', booked))
        again()
      }
    }
  }
  return { send, problem, isBusy }
}

type SheetProperties = { rows: readonly CountedRow[]; counted: Signal<Counted>; isBlind: boolean; isDeep: boolean }

/** The lines. Enter takes a line and goes to the next: an empty one is as expected, unless that is hidden. */
function Sheet({ rows, counted, isBlind, isDeep }: SheetProperties) {
  const ref = useRef<HTMLTableElement>(null)
  useEffect(() => inputs()[0]?.focus(), [])
  const inputs = () => [...(ref.current?.querySelectorAll('input') ?? [])]
  const set = (pk: number, typed: string) => {
    const { [pk]: _before, ...others } = counted.value
    counted.value = typed === '' ? others : { ...others, [pk]: typed }
  }
  const go = (from: HTMLInputElement, by: number) => {
    const all = inputs()
    const next = all[all.indexOf(from) + by]
    if (next) next.focus()
    else if (by > 0) document.querySelector<HTMLElement>('.count-foot button:enabled')?.focus()
  }
  return (
    <table class="sheet" ref={ref} aria-label={t('count.title')}>
      <thead>
        <tr>
          <th scope="col">{label('part')}</th>
          {!isBlind && (
            <th scope="col" class="end">
              {t('count.expected')}
            </th>
          )}
          <th scope="col" class="end">
            {t('count.counted')}
          </th>
          {!isBlind && (
            <th scope="col" class="end">
              {t('count.difference')}
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ item, quantity: found, isWrong, difference }) => {
          const name = item.part_detail?.full_name ?? String(item.part)
          const more = [markOf(item), isDeep && item.location_detail?.pathstring].filter(Boolean).join(' · ')
          return (
            <tr key={item.pk} class={found === undefined ? '' : difference === 0 ? 'same' : 'differs'}>
              <th scope="row">
                <a class="plain" href={`/stock/item/${item.pk}/`} tabIndex={-1}>
                  {name}
                </a>
                {more && <small>{more}</small>}
              </th>
              {!isBlind && <td class="end">{quantityOf(item)}</td>}
              <td class="end">
                <input
                  data-item={item.pk}
                  aria-label={t('count.of-item', { item: [name, markOf(item)].filter(Boolean).join(' ') })}
                  aria-invalid={isWrong || undefined}
                  inputMode="decimal"
                  autocomplete="off"
                  size={8}
                  value={(counted.value[item.pk] ?? '').replace('.', decimalSign())}
                  onInput={(event) => set(item.pk, event.currentTarget.value.replace(',', '.'))}
                  onFocus={(event) => event.currentTarget.select()}
                  onKeyDown={(event) => {
                    const input = event.currentTarget
                    if (event.ctrlKey || event.metaKey || event.altKey) return
                    if (event.key === 'Enter') {
                      event.preventDefault()
                      if (input.value === '' && !isBlind) set(item.pk, String(item.quantity))
                      // the button is enabled once this is drawn
                      requestAnimationFrame(() => go(input, 1))
                    } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
                      event.preventDefault()
                      go(input, event.key === 'ArrowDown' ? 1 : -1)
                    }
                  }}
                />
              </td>
              {!isBlind && (
                <td class="end difference">
                  {found === undefined ? (
                    ''
                  ) : difference === 0 ? (
                    <Icon name="check" />
                  ) : item.serial ? (
                    t('count.missing')
                  ) : (
                    `${difference > 0 ? '+' : '−'}${quantity(Math.abs(difference), item.part_detail?.units)}`
                  )}
                </td>
              )}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

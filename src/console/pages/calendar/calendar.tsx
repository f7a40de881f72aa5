import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { formatDate, formatMonth, formatNumber, formatWeekday, getFirstWeekday, t } from '../../kit/language/language.ts'
import { useCommands } from '../../kit/navigation/keys.ts'
import { readQuery, setQuery } from '../../kit/navigation/router.ts'
import { useRead } from '../../kit/page/data.ts'
import { Icon } from '../../kit/page/icon.tsx'
import { LoadError } from '../../kit/page/load-error.tsx'
import { Badge, Empty, Page } from '../../kit/page/page.tsx'
import { attempt, showToast, warn } from '../../kit/page/toast.tsx'
import { change, type Page as ListPage } from '../../kit/service/api.ts'
import { addDays, addMonths, type Day, isDay, listMonth, listWeek } from '../../kit/values/days.ts'
import { type Entry, type EntryKind, getEntryUrls, groupEntries, listKinds } from './calendar-entries.ts'

/** Maximum number of entries that a day of a month shows; the others are behind a link to its week. */
const MAX_PER_DAY = 4

type View = 'month' | 'week'

const getToday = (): Day => {
  const now = new Date()
  return new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())).toISOString().slice(0, 10)
}

/** `/calendar/?view=week&day=2026-11-28`: open orders and builds on their target dates, which can be moved. */
export function CalendarPage() {
  const view: View = readQuery('view') === 'week' ? 'week' : 'month'
  const requestedDay = readQuery('day')
  const today = getToday()
  const day = isDay(requestedDay) ? requestedDay : today
  const firstWeekday = getFirstWeekday()
  const weeks = view === 'month' ? listMonth(day, firstWeekday) : [listWeek(day, firstWeekday)]
  const days = weeks.flat()
  const allKinds = useMemo(listKinds, [])
  const selected = readQuery('kinds')?.split(',')
  const kinds = allKinds.filter(({ role }) => !selected || selected.includes(role))
  const urls = getEntryUrls(kinds, days[0] as Day, days.at(-1) as Day)
  const { data, error, reload } = useRead<Record<string, ListPage<unknown>>>(urls)
  const entries = useMemo(() => groupEntries(kinds, data ?? {}), [data])
  const moved = useSignal<string | undefined>(undefined)
  const page = useRef<HTMLDivElement>(null)
  // a moved entry keeps the focus in its new day
  useEffect(() => {
    if (moved.value) page.current?.querySelector<HTMLElement>(`[data-entry="${moved.value}"]`)?.focus()
  }, [data])

  const go = (steps: number) => setQuery({ day: view === 'month' ? addMonths(day, steps) : addDays(day, steps * 7) })
  useCommands(
    () => [
      { keys: 'j', label: () => t('calendar.next'), run: () => go(1) },
      { keys: 'k', label: () => t('calendar.previous'), run: () => go(-1) },
      { keys: 't', label: () => t('calendar.today'), run: () => setQuery({ day: undefined }) },
      { keys: 'w', label: () => t('calendar.week'), run: () => setQuery({ view: 'week' }) },
      { keys: 'm', label: () => t('calendar.month'), run: () => setQuery({ view: undefined }) },
    ],
    [view, day],
  )

  async function move(entry: Entry, target: Day): Promise<void> {
    if (!entry.canMove || target === entry.day) return
    moved.value = entry.id
    const isDone = await attempt(async () => {
      const result = await change(entry.url, { target_date: target }, entry.etag)
      if ('conflict' in result) warn(t('changed-meanwhile'))
      else
        showToast(t('calendar.moved', { reference: entry.reference, day: formatDate(target) }), () =>
          change(entry.url, { target_date: entry.day }, undefined),
        )
    })
    if (!isDone) moved.value = undefined
    reload()
  }

  if (error) return <LoadError error={error} />
  const isTruncated = data && kinds.some(({ role }) => (data[role]?.body.count ?? 0) > (data[role]?.body.results.length ?? 0))
  const title = view === 'month' ? formatMonth(day.slice(0, 7)) : `${formatDate(days[0])} – ${formatDate(days.at(-1))}`
  return (
    <Page
      title={t('calendar.title')}
      actions={
        <>
          <button type="button" class="icon-only" aria-label={t('calendar.previous')} onClick={() => go(-1)}>
            <Icon name="left" />
          </button>
          <button type="button" onClick={() => setQuery({ day: undefined })}>
            {t('calendar.today')}
          </button>
          <button type="button" class="icon-only" aria-label={t('calendar.next')} onClick={() => go(1)}>
            <Icon name="right" />
          </button>
        </>
      }
    >
      <div class="calendar-bar">
        <h2 aria-live="polite">{title}</h2>
        <fieldset class="calendar-views">
          <legend class="visually-hidden">{t('calendar.view')}</legend>
          {(['month', 'week'] as const).map((name) => (
            <button
              key={name}
              type="button"
              class="quiet"
              aria-pressed={view === name}
              onClick={() => setQuery({ view: name === 'week' ? 'week' : undefined })}
            >
              {t(`calendar.${name}`)}
            </button>
          ))}
        </fieldset>
        <KindChoice all={allKinds} kinds={kinds} />
      </div>
      {isTruncated && (
        <p>
          <Badge tone="warn">{t('calendar.incomplete')}</Badge>
        </p>
      )}
      <div ref={page} class={data ? 'calendar' : 'calendar loading'}>
        <Grid {...{ weeks, view, today, month: day.slice(0, 7), entries, move }} moved={moved.value} />
        <Agenda days={days} today={today} entries={entries} move={move} isLoaded={data !== undefined} />
      </div>
      <p class="quiet-text wide-only">{t('calendar.hint')}</p>
    </Page>
  )
}

/** Selects the kinds of orders. */
const KindChoice = ({ all, kinds }: { all: readonly EntryKind[]; kinds: readonly EntryKind[] }) => (
  <fieldset class="calendar-kinds">
    <legend class="visually-hidden">{t('calendar.kinds')}</legend>
    {all.map(({ role, title, icon }) => (
      <label key={role} class={`calendar-kind ${role}`}>
        <input
          type="checkbox"
          checked={kinds.some((kind) => kind.role === role)}
          onChange={({ currentTarget }) => {
            const next = all.filter((kind) => (kind.role === role ? currentTarget.checked : kinds.includes(kind)))
            setQuery({ kinds: next.length === all.length ? undefined : next.map((kind) => kind.role).join(',') || 'none' })
          }}
        />
        <Icon name={icon} />
        {t(title)}
      </label>
    ))}
  </fieldset>
)

type Move = (entry: Entry, target: Day) => void

type GridProperties = {
  weeks: readonly (readonly Day[])[]
  view: View
  today: Day
  month: string
  entries: ReadonlyMap<Day, readonly Entry[]>
  move: Move
  /** The entry that was moved last: it is the first one of its day, so that it stays in view. */
  moved: string | undefined
}

/** Days in a grid: entries are dragged from one to another. Hidden on a phone, which shows the agenda. */
function Grid({ weeks, view, today, month, entries, move, moved }: GridProperties) {
  const dragged = useRef<Entry>(undefined)
  const over = useSignal<Day | undefined>(undefined)
  return (
    <table class={`calendar-grid ${view} wide-only`} aria-label={t('calendar.title')}>
      <thead>
        <tr>
          {(weeks[0] ?? []).map((day) => (
            <th key={day} scope="col">
              {formatWeekday(day)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeks.map((week) => (
          <tr key={week[0]}>
            {week.map((day) => {
              const all = (entries.get(day) ?? []).toSorted((one, other) => Number(other.id === moved) - Number(one.id === moved))
              const visible = view === 'month' && all.length > MAX_PER_DAY + 1 ? all.slice(0, MAX_PER_DAY) : all
              const isOutside = view === 'month' && day.slice(0, 7) !== month
              return (
                <td
                  key={day}
                  class={`${isOutside ? 'outside' : ''} ${day === today ? 'today' : ''} ${over.value === day ? 'over' : ''}`}
                  onDragOver={(event) => {
                    if (!dragged.current) return
                    event.preventDefault()
                    over.value = day
                  }}
                  onDragLeave={() => {
                    if (over.value === day) over.value = undefined
                  }}
                  onDrop={(event) => {
                    event.preventDefault()
                    over.value = undefined
                    if (dragged.current) move(dragged.current, day)
                    dragged.current = undefined
                  }}
                >
                  <time dateTime={day} aria-current={day === today ? 'date' : undefined}>
                    <span aria-hidden="true">{formatNumber(Number(day.slice(8)))}</span>
                    <span class="visually-hidden">{formatDate(day)}</span>
                  </time>
                  {visible.length > 0 && (
                    <ul>
                      {visible.map((entry) => (
                        <li key={entry.id}>
                          <a
                            class={`calendar-entry ${entry.kind.role} ${entry.isOverdue ? 'overdue' : ''}`}
                            href={entry.page}
                            data-entry={entry.id}
                            draggable={entry.canMove}
                            title={`${entry.reference} ${entry.about}`}
                            onDragStart={(event) => {
                              dragged.current = entry
                              event.dataTransfer?.setData('text/plain', entry.reference)
                            }}
                            onDragEnd={() => {
                              dragged.current = undefined
                              over.value = undefined
                            }}
                            onKeyDown={(event) => {
                              const steps = event.shiftKey ? SHIFT_KEYS[event.key] : undefined
                              if (steps === undefined || !entry.canMove) return
                              event.preventDefault()
                              move(entry, addDays(entry.day, steps))
                            }}
                          >
                            <Icon name={entry.kind.icon} />
                            <span class="visually-hidden">{t(entry.kind.title)}</span>
                            <b>{entry.reference}</b> {entry.about}
                            {entry.isOverdue && <span class="visually-hidden">{t('calendar.overdue')}</span>}
                          </a>
                        </li>
                      ))}
                    </ul>
                  )}
                  {visible.length < all.length && (
                    <a class="calendar-more" href={`/calendar/?view=week&day=${day}`}>
                      {t('calendar.more', { count: formatNumber(all.length - visible.length) })}
                    </a>
                  )}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Days that an arrow key moves an entry by, with Shift. */
const SHIFT_KEYS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

type AgendaProperties = {
  days: readonly Day[]
  today: Day
  entries: ReadonlyMap<Day, readonly Entry[]>
  move: Move
  isLoaded: boolean
}

/** The days with entries, one below the other, for a phone: a date field moves an entry. */
function Agenda({ days, today, entries, move, isLoaded }: AgendaProperties) {
  const busyDays = days.filter((day) => entries.has(day))
  return (
    <div class="calendar-agenda narrow-only">
      {isLoaded && busyDays.length === 0 && <Empty icon="check" title={t('calendar.none')} />}
      {busyDays.map((day) => (
        <section key={day}>
          <h3 class={day === today ? 'today' : ''}>
            {formatWeekday(day)} <time dateTime={day}>{formatDate(day)}</time>
          </h3>
          <ul>
            {(entries.get(day) ?? []).map((entry) => (
              <li key={entry.id}>
                <a class={`calendar-entry ${entry.kind.role} ${entry.isOverdue ? 'overdue' : ''}`} href={entry.page}>
                  <Icon name={entry.kind.icon} />
                  <b>{entry.reference}</b> {entry.about}
                </a>
                {entry.canMove && (
                  <input
                    type="date"
                    aria-label={t('calendar.move', { reference: entry.reference })}
                    value={entry.day}
                    onChange={({ currentTarget }) => {
                      if (isDay(currentTarget.value)) move(entry, currentTarget.value)
                    }}
                  />
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}

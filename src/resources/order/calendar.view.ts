import { getTableName } from 'drizzle-orm'
import { Bytes, view } from '../../kit/definition/action.ts'
import { quote } from '../../kit/sql/sql.ts'
import { getWebPage } from '../../web-pages.ts'
import { type OrderKind, openStates } from './order-kind.ts'
import { PURCHASE_ORDER } from './po/po-kind.ts'
import { RETURN_ORDER } from './ro/ro-kind.ts'
import { SALES_ORDER } from './so/so-kind.ts'

/** Maximum entries of a calendar: calendar programs fetch the whole calendar again and again. */
const MAX_ENTRIES = 5_000

type DueOrder = { pk: number; reference: string; description: string; due: string; company: string | null }

/** The calendar of a type of order (RFC 5545), which calendar programs fetch by URL. */
const createCalendarView = (kind: OrderKind, name: string) =>
  view({
    path: `/api/order/calendar/${name}/calendar.ics`,
    summary: `Get the calendar of ${kind.name}s`,
    description: `A calendar with an entry for each open ${kind.name} on its target date, for calendar programs that sign in with HTTP Basic authentication. Above ${MAX_ENTRIES} orders, it contains those with the latest dates.`,
    access: kind.access,
    query: { include_completed: 'Any value but an empty one includes closed orders.' },
    example: {},
    files: ['text/calendar'],
    async read({ query, url, database }) {
      const orders = await database.read<DueOrder>({
        text: `select o.pk, o.reference, o.description, to_char(o.target_date, 'YYYYMMDD') as due, c.name as company
               from ${quote(getTableName(kind.table))} o left join company c on c.pk = o.${quote(kind.company)}
               where o.target_date is not null and ($1 or o.status in ${openStates(kind)})
               order by o.target_date desc, o.pk desc limit ${MAX_ENTRIES}`,
        values: [Boolean(query.include_completed)],
      })
      const { origin, host } = new URL(url)
      const now = new Date().toISOString().replaceAll(/[-:]|\.\d+/g, '')
      const lines = [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:-//Stockroom//orders//EN',
        `X-WR-CALNAME:${escapeText(`${kind.name[0]?.toUpperCase()}${kind.name.slice(1)}s`)}`,
        ...orders.flatMap(({ pk, reference, description, due, company }) => [
          'BEGIN:VEVENT',
          `UID:${kind.model}-${pk}@${host}`,
          `DTSTAMP:${now}`,
          `DTSTART;VALUE=DATE:${due}`,
          `SUMMARY:${escapeText([reference, company].filter(Boolean).join(' - '))}`,
          ...(description ? [`DESCRIPTION:${escapeText(description)}`] : []),
          `URL:${origin}${getWebPage(kind.path, pk)}`,
          'TRANSP:TRANSPARENT',
          'END:VEVENT',
        ]),
        'END:VCALENDAR',
      ]
      return new Bytes('text/calendar; charset=utf-8', Buffer.from(lines.map((line) => `${foldLine(line)}\r\n`).join('')))
    },
  })

/** Escapes the separators in a text value. */
const escapeText = (text: string): string => text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r?\n|\r/g, '\\n')

/** Folds a line to at most 75 bytes; it continues after a line break and a space. */
function foldLine(line: string): string {
  let length = 0
  let text = ''
  for (const character of line) {
    const bytes = Buffer.byteLength(character)
    if (length + bytes > 75) {
      text += '\r\n '
      length = 1
    }
    text += character
    length += bytes
  }
  return text
}

export const orderCalendars = [
  createCalendarView(PURCHASE_ORDER, 'purchase-order'),
  createCalendarView(SALES_ORDER, 'sales-order'),
  createCalendarView(RETURN_ORDER, 'return-order'),
]

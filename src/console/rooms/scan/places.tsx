import { useEffect, useId } from 'preact/hooks'
import type { Page } from '../../kit/api.ts'
import { useRead } from '../../kit/data.ts'
import type { ResourceFacts } from '../../kit/facts.ts'
import { useForm } from '../../kit/form.tsx'
import { t } from '../../kit/language.ts'
import { Pick } from '../../kit/pick.tsx'
import { setQuery } from '../../kit/router.ts'
import { choose, chosen } from './mode.ts'

type Order = {
  pk: number
  reference: string
  supplier_detail?: { name: string } | null
  customer_detail?: { name: string } | null
}

type OrdersProperties = {
  title: string
  /** What it means that none is chosen. */
  empty: string
  url: string
  /** Whose it is. */
  of: (order: Order) => string | undefined
  value: number | null
  onChoose: (pk: number) => void
}

/** A choice among orders. */
export function Orders({ title, empty, url, of, value, onChoose }: OrdersProperties) {
  const id = useId()
  const { data } = useRead<{ orders: Page<Order> }>({ orders: url })
  const orders = data?.orders.body.results ?? []
  return (
    <div class="field">
      <label for={id}>{title}</label>
      <select
        id={id}
        value={value === null ? '' : String(value)}
        onChange={({ currentTarget }) => {
          if (currentTarget.value === '') setQuery({ order: undefined }, { replace: true })
          else onChoose(Number(currentTarget.value))
          // what is scanned and pressed next is for the page
          currentTarget.blur()
        }}
      >
        <option value="">{empty}</option>
        {value !== null && !orders.some(({ pk }) => pk === value) && <option value={String(value)}>#{value}</option>}
        {orders.map((order) => (
          <option key={order.pk} value={String(order.pk)}>
            {[order.reference, of(order)].filter(Boolean).join(' · ')}
          </option>
        ))}
      </select>
    </div>
  )
}

type Location = { pk: number; pathstring: string }

/** A form of one field, which is the place. */
const PLACE: ResourceFacts = { path: '', fields: { place: { kind: 'integer', isNullable: true } }, filters: {}, orders: [] }

/** The place where things go: scanned, or found by its name. */
export function Place({ empty }: { empty: string }) {
  const place = chosen('place')
  const form = useForm(PLACE, { place })
  useEffect(() => {
    form.values.value = { place }
  }, [place])
  return (
    <Pick<Location>
      form={form}
      name="place"
      url="/api/stock/location/"
      query={{ structural: false }}
      text={({ pathstring }) => pathstring}
      title={t('scan.place')}
      help={place === null ? empty : null}
      onPick={(row) => {
        if (row) choose('place', row)
        else setQuery({ place: undefined }, { replace: true })
        // what is scanned and pressed next is for the page
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      }}
    />
  )
}

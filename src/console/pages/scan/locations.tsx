import { useEffect, useId } from 'preact/hooks'
import { useForm } from '../../kit/form/form.tsx'
import { ReferenceField } from '../../kit/form/reference-field.tsx'
import { t } from '../../kit/language/language.ts'
import { setQuery } from '../../kit/navigation/router.ts'
import { useRead } from '../../kit/page/data.ts'
import type { Page } from '../../kit/service/api.ts'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { clearOrder, getSelectedKey, selectObject } from './mode.ts'

export type Order = {
  pk: number
  reference: string
  supplier_detail?: { name: string } | null
  customer_detail?: { name: string } | null
  part_detail?: { full_name: string } | null
}

/** A group of orders of one kind. */
type OrderGroup = {
  /** Name of the query parameter for the selected order. */
  name: 'order' | 'build'
  title: string
  /** URL of their list. */
  url: string
  /** The company or the part of an order. */
  getDescription: (order: Order) => string | undefined
}

type OrdersProperties = {
  title: string
  /** Text of the option that selects none. */
  empty: string
  groups: readonly OrderGroup[]
}

/** A select for orders of one kind or several. */
export function OrderSelect({ title, empty, groups }: OrdersProperties) {
  const id = useId()
  const { data } = useRead<Record<string, Page<Order>>>(Object.fromEntries(groups.map(({ name, url }) => [name, url])))
  const chosenGroup = groups.find(({ name }) => getSelectedKey(name) !== null)
  const renderOptions = ({ name, getDescription }: OrderGroup) => {
    const orders = data?.[name]?.body.results ?? []
    const value = getSelectedKey(name)
    return (
      <>
        {value !== null && !orders.some(({ pk }) => pk === value) && <option value={`${name} ${value}`}>#{value}</option>}
        {orders.map((order) => (
          <option key={order.pk} value={`${name} ${order.pk}`}>
            {[order.reference, getDescription(order)].filter(Boolean).join(' · ')}
          </option>
        ))}
      </>
    )
  }
  return (
    <div class="field">
      <label for={id}>{title}</label>
      <select
        id={id}
        value={chosenGroup ? `${chosenGroup.name} ${getSelectedKey(chosenGroup.name)}` : ''}
        onChange={({ currentTarget }) => {
          const [name, pk] = currentTarget.value.split(' ')
          if (pk === undefined) clearOrder()
          else selectObject(name as OrderGroup['name'], { pk: Number(pk) })
          // the next scan or key belongs to the page
          currentTarget.blur()
        }}
      >
        <option value="">{empty}</option>
        {groups.length === 1
          ? groups.map(renderOptions)
          : groups.map((group) => (
              <optgroup key={group.name} label={group.title}>
                {renderOptions(group)}
              </optgroup>
            ))}
      </select>
    </div>
  )
}

type Location = { pk: number; pathstring: string }

/** A form with the location as its only field. */
const LOCATION_METADATA: ResourceMetadata = {
  path: '',
  fields: { place: { kind: 'integer', isNullable: true } },
  filters: {},
  orders: [],
}

/** The target location: scanned, or found by name. */
export function LocationField({ empty }: { empty: string }) {
  const location = getSelectedKey('place')
  const form = useForm(LOCATION_METADATA, { place: location })
  useEffect(() => {
    form.values.value = { place: location }
  }, [location])
  return (
    <ReferenceField<Location>
      form={form}
      name="place"
      url="/api/stock/location/"
      query={{ structural: false }}
      getTitle={({ pathstring }) => pathstring}
      title={t('scan.location')}
      help={location === null ? empty : null}
      onPick={(row) => {
        if (row) selectObject('place', row)
        else setQuery({ place: undefined }, { replace: true })
        // the next scan or key belongs to the page
        if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      }}
    />
  )
}

import serialize from 'facts:/api/stock/{id}/serialize/'
import type { ComponentChildren } from 'preact'
import { post } from '../../kit/api.ts'
import type { ResourceFacts } from '../../kit/facts.ts'
import { Field, FieldError, type Form, type Values } from '../../kit/form.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import type { IconName } from '../../kit/icon.tsx'
import { choiceLabel, label, type PlainKey, quantity, t } from '../../kit/language.ts'
import { PrintLabels } from '../../kit/print-labels.tsx'
import { may } from '../../kit/session.ts'
import { TakesScan } from '../../scanner/takes-scan.tsx'
import { facts, quantityOf, type StockItem, titleOf } from './stock-facts.tsx'

/** What can be done with a stock item. */
export type StockAction = 'move' | 'count' | 'add' | 'remove' | 'split' | 'status' | 'serialize' | 'link' | 'labels'

type Offer = { action: StockAction; title: PlainKey; keys: string; icon: IconName; isFor: (item: StockItem) => boolean }

const isLoose = ({ serial, is_building }: StockItem) => !serial && !is_building

/** All actions, with their keys. Items with a serial number are one: nothing is added to them or counted. */
export const OFFERS: readonly Offer[] = [
  { action: 'move', title: 'stock.move', keys: 'm', icon: 'move', isFor: ({ is_building }) => !is_building },
  { action: 'count', title: 'stock.count', keys: 'c', icon: 'count', isFor: isLoose },
  { action: 'add', title: 'stock.add', keys: 'a', icon: 'plus', isFor: isLoose },
  { action: 'remove', title: 'stock.remove', keys: 'r', icon: 'minus', isFor: isLoose },
  { action: 'split', title: 'stock.split', keys: 'x', icon: 'split', isFor: (item) => isLoose(item) && item.quantity > 0 },
  { action: 'status', title: 'stock.status', keys: 's', icon: 'check', isFor: () => true },
  {
    action: 'serialize',
    title: 'stock.serialize',
    keys: 'b',
    icon: 'key',
    isFor: (item) => isLoose(item) && item.part_detail?.trackable === true,
  },
  { action: 'link', title: 'stock.link-code', keys: 'l', icon: 'search', isFor: () => true },
  { action: 'labels', title: 'labels.title', keys: 'p', icon: 'print', isFor: () => true },
]

/** Which of them the account may carry out. */
export const mayDo = (action: StockAction): boolean =>
  action === 'labels' ? may('view', 'stock') : action === 'link' ? may('change', 'stock') : may('add', 'stock')

/** The fields that actions ask for: those of the item, and what is remarked. */
const asked: ResourceFacts = {
  ...facts,
  fields: {
    ...facts.fields,
    quantity: { kind: 'number', isRequired: true },
    location: { kind: 'integer', isRequired: true },
    status: { ...facts.fields.status, kind: 'choice' },
    barcode: { kind: 'text', isRequired: true },
    notes: { kind: 'text', maxLength: 512 },
    note: { kind: 'text', maxLength: 512 },
  },
}

/** What an action asks for, and what it sends. */
type Plan = {
  facts?: ResourceFacts
  names: readonly string[]
  start: Values
  send: (values: Values, key: string) => Promise<unknown>
  done: (values: Values) => string
}

function planOf(action: Exclude<StockAction, 'labels'>, item: StockItem): Plan {
  const units = item.part_detail?.units
  const adjust =
    (path: string, more: Values = {}) =>
    ({ quantity: amount, notes, ...rest }: Values, key: string) =>
      post(path, { items: [{ pk: item.pk, quantity: amount }], notes, ...rest, ...more }, key)
  const told = (values: Values) => quantity(values.quantity as string, units)
  switch (action) {
    case 'move':
      return {
        names: item.serial ? ['location', 'notes'] : ['location', 'quantity', 'notes'],
        start: { location: null, quantity: String(item.quantity), notes: '' },
        send: adjust('/api/stock/transfer/'),
        done: (values) => t('stock.moved', { quantity: told(values) }),
      }
    case 'split':
      return {
        names: ['quantity', 'location', 'notes'],
        start: { quantity: '', location: item.location, notes: '' },
        send: adjust('/api/stock/transfer/'),
        done: (values) => t('stock.was-split', { quantity: told(values) }),
      }
    case 'count':
      return {
        names: ['quantity', 'notes'],
        start: { quantity: '', notes: '' },
        send: adjust('/api/stock/count/'),
        done: (values) => t('stock.counted', { quantity: told(values) }),
      }
    case 'add':
    case 'remove':
      return {
        names: ['quantity', 'notes'],
        start: { quantity: '', notes: '' },
        send: adjust(`/api/stock/${action}/`),
        done: (values) => t(action === 'add' ? 'stock.added' : 'stock.removed', { quantity: told(values) }),
      }
    case 'status':
      return {
        names: ['status', 'note'],
        start: { status: item.status, note: '' },
        send: (values, key) => post('/api/stock/change_status/', { items: [item.pk], ...values }, key),
        done: (values) => t('stock.is-now', { status: choiceLabel(facts.path, 'status', values.status as number) }),
      }
    case 'serialize':
      return {
        facts: serialize,
        names: ['quantity', 'serial_numbers', 'destination', 'notes'],
        start: { quantity: String(item.quantity), serial_numbers: '', destination: item.location, notes: '' },
        send: (values, key) => post(`/api/stock/${item.pk}/serialize/`, values, key),
        done: (values) => t('stock.serialized', { count: told(values) }),
      }
    case 'link':
      return {
        names: ['barcode'],
        start: { barcode: '' },
        send: (values, key) => post('/api/barcode/link/', { ...values, stockitem: item.pk }, key),
        done: () => t('stock.code-linked'),
      }
  }
}

type Properties = {
  action: StockAction
  item: StockItem
  /** After it was done. */
  onDone: () => void
  onClose: () => void
}

/** The window of an action. */
export function StockActionDialog({ action, item, onDone, onClose }: Properties) {
  if (action === 'labels') return <PrintLabels kind="stock" items={[item.pk]} onClose={onClose} />
  const plan = planOf(action, item)
  const title = t(OFFERS.find((offer) => offer.action === action)?.title ?? 'stock.title')
  const units = item.part_detail?.units
  return (
    <FormDialog
      title={title}
      facts={plan.facts ?? asked}
      start={plan.start}
      names={plan.names}
      without="rest"
      own={(form) => ownFields(form, plan.names, units)}
      button={title}
      send={async (values, key) => {
        await plan.send(values, key)
        return values
      }}
      done={plan.done}
      onDone={onDone}
      onClose={onClose}
    >
      <p class="about">
        <strong>{titleOf(item)}</strong>
        <span class="quiet-text">{[quantityOf(item), item.location_detail?.pathstring].filter(Boolean).join(' · ')}</span>
      </p>
    </FormDialog>
  )
}

/** The quantity says its unit; what is wrong with it comes inside `items`. */
const ownFields = (
  form: Form,
  names: readonly string[],
  units: string | null | undefined,
): Record<string, () => ComponentChildren> => ({
  quantity: () => (
    <>
      <Field form={form} name="quantity" title={units ? `${label('quantity')} (${units})` : label('quantity')} help={null} />
      <FieldError form={form} name="items" />
    </>
  ),
  location: () => (
    <>
      <Field form={form} name="location" title={t('stock.to-place')} help={null} />
      {!names.includes('quantity') && <FieldError form={form} name="items" />}
    </>
  ),
  status: () => <Field form={form} name="status" help={null} />,
  barcode: () => (
    <>
      <TakesScan form={form} name="barcode" />
      <Field form={form} name="barcode" title={t('stock.code')} help={t('stock.code-help')} />
    </>
  ),
})

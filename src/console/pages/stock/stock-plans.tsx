import convert from 'metadata:/api/stock/{id}/convert/'
import install from 'metadata:/api/stock/{id}/install/'
import returnToStock from 'metadata:/api/stock/{id}/return/'
import serialize from 'metadata:/api/stock/{id}/serialize/'
import uninstall from 'metadata:/api/stock/{id}/uninstall/'
import assign from 'metadata:/api/stock/assign/'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Field, FieldError, type Form, type Values } from '../../kit/form/form.tsx'
import { getSource } from '../../kit/form/reference.ts'
import { ReferenceField } from '../../kit/form/reference-field.tsx'
import { choiceLabel, count, formatWithUnit, label, t } from '../../kit/language/language.ts'
import { type ApiResponse, post } from '../../kit/service/api.ts'
import type { ResourceMetadata } from '../../kit/service/field-metadata.ts'
import { type LoadedObject, postAction } from '../../kit/service/saves.ts'
import { useScans } from '../../scanner/scanner.ts'
import { getExpectedValues } from './expectations.tsx'
import type { ItemContext, StockAction } from './offers.ts'
import { Reason } from './reason.tsx'
import { SerialNumbers } from './serial-numbers.tsx'
import { formatItemTitle, type StockItem, stockMetadata } from './stock-details.tsx'
import { UNDOABLE } from './undo.ts'

/** The fields that an action asks for, and the request it sends. */
export type Plan = {
  metadata: ResourceMetadata
  fieldNames: readonly string[]
  start: Values
  own?: (form: Form) => Record<string, () => ComponentChildren>
  send: (values: Values, key: string) => Promise<ApiResponse<unknown>>
  /** The message after success. */
  getSuccessMessage: (values: Values) => string
}

/** Fields used by several actions: those of the item, and the notes. */
export const actionMetadata: ResourceMetadata = {
  ...stockMetadata,
  fields: {
    ...stockMetadata.fields,
    quantity: { kind: 'number', isRequired: true },
    location: { kind: 'integer', isRequired: true },
    status: { ...stockMetadata.fields.status, kind: 'choice' },
    barcode: { kind: 'text', isRequired: true },
    notes: { kind: 'text', maxLength: 512 },
    note: { kind: 'text', maxLength: 512 },
  },
}

/** The actions that have a dialog of this kind. */
export type PlannedAction = Exclude<StockAction, 'labels' | 'merge' | 'unlink'>

/**
 * The plan of an action on one item, or on several if it allows that.
 * @param context details of a single item on its page
 * @param more additional fields of the entry of a single item
 */
export function createPlan(
  action: PlannedAction,
  items: readonly StockItem[],
  context?: ItemContext,
  detail: () => object = () => ({}),
): Plan {
  const item = items[0] as StockItem
  const loaded = context?.loaded ?? UNKNOWN_VERSION
  let location: StockLocation | undefined
  const units = item.part_detail?.units
  const formatQuantity = (values: Values) => formatWithUnit(values.quantity as string, units)
  const createAdjustment =
    (path: string) =>
    ({ quantity: amount, ...rest }: Values, key: string) =>
      post(
        `/api/stock/${path}/`,
        { items: [{ pk: item.pk, quantity: amount, ...getExpectedValues(item), ...detail() }], ...rest, ...UNDOABLE },
        key,
      )
  const createAction =
    (path: string) =>
    (values: Values, key: string): Promise<ApiResponse<unknown>> =>
      postAction(`/api/stock/${item.pk}/`, path, values, key, loaded)
  const reason = (form: Form, name: 'note' | 'notes') => ({ [name]: () => <Reason form={form} name={name} action={action} /> })
  const quantityAndReason = (form: Form) => ({
    quantity: () => <QuantityField form={form} units={units} />,
    ...reason(form, 'notes'),
  })
  switch (action) {
    case 'move':
      return {
        metadata: actionMetadata,
        fieldNames: item.serial ? ['location', 'notes'] : ['location', 'quantity', 'notes'],
        start: { location: null, quantity: String(item.quantity), notes: '' },
        own: (form) => ({
          ...quantityAndReason(form),
          location: () => (
            <DestinationField
              form={form}
              showsItemErrors={item.serial !== null}
              onPick={(row) => {
                location = row
              }}
            />
          ),
        }),
        send: createAdjustment('transfer'),
        getSuccessMessage: (values) => t('stock.moved', { what: formatQuantity(values), place: location?.name ?? '' }),
      }
    case 'split':
      return {
        metadata: actionMetadata,
        fieldNames: ['quantity', 'location', 'notes'],
        start: { quantity: '', location: item.location, notes: '' },
        own: (form) => ({ ...quantityAndReason(form), location: () => <DestinationField form={form} /> }),
        send: createAdjustment('transfer'),
        getSuccessMessage: (values) => t('stock.was-split', { quantity: formatQuantity(values) }),
      }
    case 'count':
    case 'add':
    case 'remove':
      return {
        metadata: actionMetadata,
        fieldNames: ['quantity', 'notes'],
        start: { quantity: '', notes: '' },
        own: quantityAndReason,
        send: createAdjustment(action),
        getSuccessMessage: (values) => t(DONE_TEXTS[action], { quantity: formatQuantity(values) }),
      }
    case 'status':
      return {
        metadata: actionMetadata,
        fieldNames: ['status', 'note'],
        start: { status: item.status, note: '' },
        own: (form) => ({ status: () => <Field form={form} name="status" help={null} />, ...reason(form, 'note') }),
        send: (values, key) =>
          post('/api/stock/change_status/', { items: items.map(({ pk }) => pk), ...values, ...UNDOABLE }, key),
        getSuccessMessage: ({ status }) =>
          t('stock.status-changed', { status: choiceLabel(stockMetadata.path, 'status', status as number) }),
      }
    case 'assign':
      return {
        metadata: assign,
        fieldNames: ['customer', 'notes'],
        start: { customer: null, notes: '' },
        own: (form) => ({
          customer: () => (
            <>
              <Field form={form} name="customer" help={null} />
              <FieldError form={form} name="items" />
            </>
          ),
          ...reason(form, 'notes'),
        }),
        send: (values, key) => post('/api/stock/assign/', { items: items.map(({ pk }) => ({ item: pk })), ...values }, key),
        getSuccessMessage: () => count('stock.assigned', items.length),
      }
    case 'serialize':
      return {
        metadata: { ...serialize, fields: { ...serialize.fields, serial_numbers: { kind: 'text', isRequired: true } } },
        fieldNames: ['quantity', 'serial_numbers', 'destination', 'notes'],
        // each whole unit gets a number, and a fraction gets none
        start: { quantity: String(Math.floor(item.quantity)), serial_numbers: '', destination: item.location, notes: '' },
        own: (form) => ({
          quantity: () => <Field form={form} name="quantity" title={formatQuantityLabel(units)} help={null} />,
          serial_numbers: () => (
            <SerialNumbers form={form} part={item.part} expectedCount={Number(form.values.value.quantity)} isPrefilled />
          ),
          destination: () => <Field form={form} name="destination" help={null} />,
          ...reason(form, 'notes'),
        }),
        send: createAction('serialize'),
        getSuccessMessage: ({ quantity: amount }) => count('stock.serialized', Number(amount)),
      }
    case 'install':
      return createInstallPlan(item, loaded)
    case 'take-out':
    case 'uninstall': {
      const isFromOutside = action === 'take-out'
      const installedItems = context?.installed ?? []
      return {
        metadata: uninstall,
        fieldNames: isFromOutside ? ['stock_item', 'location', 'note'] : ['location', 'note'],
        start: {
          location: item.location,
          note: '',
          ...(isFromOutside ? { stock_item: installedItems.length === 1 ? installedItems[0]?.pk : null } : {}),
        },
        own: (form) => ({
          stock_item: () => (
            <ReferenceField
              {...getSource('stockItem')}
              query={{ part_detail: true, location_detail: true, belongs_to: item.pk }}
              form={form}
              name="stock_item"
              title={t('stock.item-to-uninstall')}
              help={null}
            />
          ),
          location: () => <DestinationField form={form} />,
          ...reason(form, 'note'),
        }),
        send: ({ stock_item: chosen, ...values }, key) =>
          isFromOutside ? post(`/api/stock/${chosen ?? 0}/uninstall/`, values, key) : createAction('uninstall')(values, key),
        getSuccessMessage: () => t('stock.was-uninstalled'),
      }
    }
    case 'return':
      return {
        metadata: returnToStock,
        fieldNames: ['location', 'notes'],
        start: { location: item.location, notes: '' },
        own: (form) => ({ location: () => <DestinationField form={form} />, ...reason(form, 'notes') }),
        send: createAction('return'),
        getSuccessMessage: () => t('stock.was-returned'),
      }
    case 'convert':
      return {
        metadata: convert,
        fieldNames: ['part'],
        start: { part: null },
        own: (form) => ({
          part: () => (
            <ReferenceField
              {...getSource('part')}
              query={{ convert_item: item.pk }}
              form={form}
              name="part"
              title={t('stock.becomes')}
              help={null}
            />
          ),
        }),
        send: createAction('convert'),
        getSuccessMessage: () => t('stock.converted'),
      }
    case 'link':
      return {
        metadata: actionMetadata,
        fieldNames: ['barcode'],
        start: { barcode: '' },
        own: (form) => ({
          barcode: () => (
            <>
              <FillFromScan form={form} name="barcode" />
              <Field form={form} name="barcode" title={t('stock.barcode')} help={t('stock.barcode-help')} />
            </>
          ),
        }),
        send: (values, key) => post('/api/barcode/link/', { ...values, stockitem: item.pk }, key),
        getSuccessMessage: () => t('stock.code-linked'),
      }
  }
}

/** Stands for the version of an item from a list, which is unknown. */
const UNKNOWN_VERSION: LoadedObject = { etag: undefined, reload: () => {} }

const DONE_TEXTS = { count: 'stock.counted', add: 'stock.added', remove: 'stock.removed' } as const

/** Installs another item in this one: a single unit, or more of a larger one on request. */
function createInstallPlan(item: StockItem, loaded: LoadedObject): Plan {
  let chosen: StockItem | undefined
  return {
    metadata: install,
    fieldNames: ['stock_item', 'note'],
    start: { stock_item: null, quantity: '1', note: '' },
    own: (form) => ({
      stock_item: () => (
        <ComponentField
          form={form}
          host={item}
          onPick={(row) => {
            chosen = row
          }}
        />
      ),
      note: () => <Reason form={form} name="note" action="install" />,
    }),
    send: (values, key) => postAction(`/api/stock/${item.pk}/`, 'install', values, key, loaded),
    getSuccessMessage: () => t('stock.was-installed', { item: chosen ? formatItemTitle(chosen) : '' }),
  }
}

function ComponentField({ form, host, onPick }: { form: Form; host: StockItem; onPick: (row: StockItem | undefined) => void }) {
  const maxQuantity = useSignal(1)
  return (
    <div class="fields">
      <ReferenceField
        {...getSource('stockItem')}
        query={{ part_detail: true, location_detail: true, installable_in: host.pk }}
        form={form}
        name="stock_item"
        title={t('stock.item-to-install')}
        help={null}
        onPick={(row) => {
          const component = row as StockItem | undefined
          maxQuantity.value = component?.quantity ?? 1
          onPick(component)
        }}
      />
      {maxQuantity.value > 1 && (
        <Field form={form} name="quantity" help={t('stock.of-quantity', { quantity: formatWithUnit(maxQuantity.value) })} />
      )}
    </div>
  )
}

const formatQuantityLabel = (units: string | null | undefined): string =>
  units ? `${label('quantity')} (${units})` : label('quantity')

/** The quantity field shows its unit; its errors are in `items`. */
const QuantityField = ({ form, units }: { form: Form; units: string | null | undefined }) => (
  <>
    <Field form={form} name="quantity" title={formatQuantityLabel(units)} help={null} />
    <FieldError form={form} name="items" />
  </>
)

/** A selected location. */
export type StockLocation = { pk: number; name: string }

type DestinationProperties = {
  form: Form
  /** Whether errors of the item are shown here, as they have no field of their own. */
  showsItemErrors?: boolean
  onPick?: (location: StockLocation | undefined) => void
}

/** The field for the target location. */
export const DestinationField = ({ form, showsItemErrors, onPick }: DestinationProperties) => (
  <>
    <ReferenceField
      {...getSource('storageLocation')}
      form={form}
      name="location"
      title={t('stock.destination')}
      help={null}
      onPick={(row) => onPick?.(row as StockLocation | undefined)}
    />
    {showsItemErrors && <FieldError form={form} name="items" />}
  </>
)

/** Fills a field with every code scanned while its form is open, whatever has the focus. */
function FillFromScan({ form, name }: { form: Form; name: string }) {
  useScans((code) => {
    form.values.value = { ...form.values.value, [name]: code }
  })
  return null
}

import { type Signal, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { Field, type Form } from '../../kit/form/form.tsx'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { getSource } from '../../kit/form/reference.ts'
import { ReferenceField } from '../../kit/form/reference-field.tsx'
import { label, t } from '../../kit/language/language.ts'
import { navigate } from '../../kit/navigation/router.ts'
import { get, post, readDefaults } from '../../kit/service/api.ts'
import { SerialNumbers } from './serial-numbers.tsx'
import { type StockItem, stockMetadata } from './stock-details.tsx'

/** Serial numbers take one line: `1, 2, 5-9`. */
const formMetadata = { ...stockMetadata, fields: { ...stockMetadata.fields, serial_numbers: { kind: 'text' as const } } }

/** The fields of a part that the dialog depends on. */
type PartDefaults = {
  pk: number
  units: string | null
  trackable: boolean
  purchaseable: boolean
  default_location: number | null
  category_default_location: number | null
  default_expiry: number
}

type CreatedStock = StockItem | { quantity: number; serial_numbers: string[] }
type Properties = {
  /** Key of the part, if it is given. */
  part?: number
  location?: number
  /** Called after it was created; by default its page opens. */
  onCreated?: () => void
  onClose: () => void
}

const EXCLUDED_FIELDS = [
  'serial',
  'belongs_to',
  'build',
  'consumed_by',
  'customer',
  'is_building',
  'sales_order',
  'purchase_order',
]

/**
 * Asks for the fields of new stock: part, quantity and location, with the default location of the part proposed; serial numbers for a
 * trackable part, and packs and supplier part for a purchased one.
 */
export function NewStock({ part, location, onCreated, onClose }: Properties) {
  const partDefaults = useSignal<PartDefaults | undefined>(undefined)
  const { trackable = false, purchaseable = false, default_expiry = 0 } = partDefaults.value ?? {}
  const names = [
    ...(part === undefined ? ['part'] : []),
    'quantity',
    'location',
    ...(trackable ? ['serial_numbers'] : []),
    'batch',
    ...(default_expiry > 0 ? ['expiry_date'] : []),
    ...(purchaseable ? ['supplier_part', 'purchase_price', 'purchase_price_currency'] : []),
    // a given part is not skipped with the keyboard
    ...(part === undefined ? [] : ['part']),
  ]
  return (
    <FormDialog<CreatedStock>
      title={t('stock.new')}
      metadata={formMetadata}
      start={{ part: part ?? null, quantity: '', location: location ?? null, serial_numbers: '', use_pack_size: false }}
      names={names}
      without={[...EXCLUDED_FIELDS, ...(trackable ? [] : ['serial_numbers']), ...(purchaseable ? ['use_pack_size'] : [])]}
      customFields={(form) => ({
        part: () => <PartChooser form={form} partDefaults={partDefaults} defaultLocation={location} />,
        quantity: () => <Field form={form} name="quantity" title={quantityTitle(form, partDefaults.value)} help={null} />,
        location: () => <Field form={form} name="location" help={null} />,
        serial_numbers: () => (
          <SerialNumbers
            key={partDefaults.value?.pk}
            form={form}
            part={partDefaults.value?.pk ?? 0}
            expectedCount={Number(form.values.value.quantity)}
          />
        ),
        batch: () => <Batch form={form} />,
        expiry_date: () => <Field form={form} name="expiry_date" help={null} />,
        supplier_part: () => (
          <div class="fields">
            <ReferenceField
              {...getSource('supplierPart')}
              query={{ supplier_detail: true, part_detail: true, part: partDefaults.value?.pk }}
              form={form}
              name="supplier_part"
              help={null}
            />
            {form.values.value.supplier_part && <Field form={form} name="use_pack_size" help={t('stock.packs-help')} />}
          </div>
        ),
        purchase_price: () => <Field form={form} name="purchase_price" title={priceTitle(form)} help={null} />,
        purchase_price_currency: () => <Field form={form} name="purchase_price_currency" help={null} />,
      })}
      send={async (values, key) => (await post<CreatedStock>(stockMetadata.path, omitEmpty(values), key)).body}
      getSuccessMessage={(created) => t('stock.created', { quantity: created.quantity })}
      onDone={(created) => {
        onClose()
        if (onCreated) onCreated()
        else if ('pk' in created) navigate(`/stock/item/${created.pk}/`)
      }}
      onClose={onClose}
    />
  )
}

/** Selects the part and loads its details: its default location, whether it is trackable, and whether it is purchased. */
function PartChooser({
  form,
  partDefaults,
  defaultLocation,
}: {
  form: Form
  partDefaults: Signal<PartDefaults | undefined>
  defaultLocation: number | undefined
}) {
  const selectedPart = form.values.value.part as number | null
  useEffect(() => {
    if (selectedPart === null) {
      partDefaults.value = undefined
      return
    }
    const controller = new AbortController()
    get<PartDefaults>(`/api/part/${selectedPart}/`, controller.signal).then(
      ({ body }) => {
        partDefaults.value = body
        const partLocation = body.default_location ?? body.category_default_location
        // a location selected by hand stays
        if (defaultLocation === undefined && partLocation !== null && form.values.value.location === null)
          form.values.value = { ...form.values.value, location: partLocation }
      },
      // without it, all fields are under "More"
      () => {},
    )
    return () => controller.abort()
  }, [selectedPart])
  return <Field form={form} name="part" help={null} />
}

/** The batch code, prefilled with the suggestion of the service, as is the currency. */
function Batch({ form }: { form: Form }) {
  useEffect(() => {
    readDefaults(stockMetadata.path).then(
      ({ batch, purchase_price_currency }) => {
        const { value } = form.values
        form.values.value = {
          ...value,
          batch: value.batch || batch,
          purchase_price_currency: value.purchase_price_currency || purchase_price_currency,
        }
      },
      // the service has defaults for empty fields
      () => {},
    )
  }, [])
  return <Field form={form} name="batch" help={null} />
}

/** The quantity in packs, or in units of the part. */
const quantityTitle = (form: Form, part: PartDefaults | undefined): string => {
  const unit = form.values.value.use_pack_size ? t('stock.packs') : part?.units
  return unit ? `${label('quantity')} (${unit})` : label('quantity')
}

const priceTitle = (form: Form): string => t(form.values.value.use_pack_size ? 'stock.pack-price' : 'stock.unit-price')

/** Drops empty fields, which take the defaults of the service. */
const omitEmpty = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== null && value !== undefined))

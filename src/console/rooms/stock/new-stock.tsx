import { post } from '../../kit/api.ts'
import { Field } from '../../kit/form.tsx'
import { FormDialog } from '../../kit/form-dialog.tsx'
import { t } from '../../kit/language.ts'
import { navigate } from '../../kit/router.ts'
import { facts, type StockItem } from './stock-facts.tsx'

/** Serial numbers are a line: `1, 2, 5-9`. */
const oneLine = { ...facts, fields: { ...facts.fields, serial_numbers: { kind: 'text' as const } } }

type Made = StockItem | { quantity: number; serial_numbers: string[] }
type Properties = {
  /** What is known already. */
  part?: number
  location?: number
  /** After it was made; by default its page is opened. */
  onMade?: () => void
  onClose: () => void
}

const FIELDS = ['part', 'quantity', 'location', 'serial_numbers', 'batch', 'expiry_date']
const ELSEWHERE = ['serial', 'belongs_to', 'build', 'consumed_by', 'customer', 'is_building', 'sales_order', 'purchase_order']

/** Asks for what new stock needs: of which part, how much, and where. */
export function NewStock({ part, location, onMade, onClose }: Properties) {
  return (
    <FormDialog<Made>
      title={t('stock.new')}
      facts={oneLine}
      start={{ part: part ?? null, quantity: '', location: location ?? null, use_pack_size: false }}
      // what is known has not to be passed over
      names={[...FIELDS.filter((name) => part === undefined || name !== 'part'), ...(part === undefined ? [] : ['part'])]}
      without={ELSEWHERE}
      own={(form) => ({
        part: () => <Field form={form} name="part" help={null} />,
        quantity: () => <Field form={form} name="quantity" help={null} />,
        location: () => <Field form={form} name="location" help={null} />,
        serial_numbers: () => <Field form={form} name="serial_numbers" help={t('stock.serials-help')} />,
        batch: () => <Field form={form} name="batch" help={null} />,
        expiry_date: () => <Field form={form} name="expiry_date" help={null} />,
        supplier_part: () => <Field form={form} name="supplier_part" help={null} />,
        use_pack_size: () => <Field form={form} name="use_pack_size" help={null} />,
        purchase_price: () => <Field form={form} name="purchase_price" help={null} />,
        purchase_price_currency: () => <Field form={form} name="purchase_price_currency" help={null} />,
      })}
      send={async (values, key) => (await post<Made>(facts.path, withoutEmpty(values), key)).body}
      done={(made) => t('stock.made', { quantity: made.quantity })}
      onDone={(made) => {
        onClose()
        if (onMade) onMade()
        else if ('pk' in made) navigate(`/stock/item/${made.pk}/`)
      }}
      onClose={onClose}
    />
  )
}

/** What was left empty is as the service has it by default. */
const withoutEmpty = (values: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== '' && value !== null && value !== undefined))

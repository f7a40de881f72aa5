import { useId } from 'preact/hooks'
import { Field, type Form } from '../../kit/form/form.tsx'
import { label, type PlainKey, t } from '../../kit/language/language.ts'

/** The most frequent reasons for changes of stock. */
const REASONS: Partial<Record<string, readonly PlainKey[]>> = {
  add: ['stock.reason-found', 'stock.reason-unused', 'stock.reason-miscounted'],
  remove: ['stock.reason-consumed', 'stock.reason-broken', 'stock.reason-missing', 'stock.reason-sample', 'stock.reason-expired'],
  count: ['stock.reason-stocktake', 'stock.reason-miscounted'],
  status: ['stock.reason-broken', 'stock.reason-checked', 'stock.reason-needs-inspection'],
}

type Properties = { form: Form; name: 'notes' | 'note'; action: string }

/** A remark for the history, with the most frequent reasons offered. */
export function Reason({ form, name, action }: Properties) {
  const id = useId()
  const reasons = REASONS[action] ?? []
  return (
    <Field
      form={form}
      name={name}
      title={label('note')}
      help={null}
      control={(attributes) => (
        <>
          <input
            {...attributes}
            type="text"
            list={reasons.length > 0 ? id : undefined}
            maxLength={512}
            value={String(form.values.value[name] ?? '')}
            onInput={(event) => {
              form.values.value = { ...form.values.value, [name]: event.currentTarget.value }
            }}
          />
          <datalist id={id}>
            {reasons.map((reason) => (
              <option key={reason} value={t(reason)} />
            ))}
          </datalist>
        </>
      )}
    />
  )
}

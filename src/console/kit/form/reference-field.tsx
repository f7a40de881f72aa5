import { Combobox, type Source } from './combobox.tsx'
import { Field, type Form } from './form.tsx'

type Properties<Row> = Source<Row> & {
  form: Form
  /** Name of the field, which holds the key of the selected object, or null. */
  name: string
  title?: string
  help?: string | null
  autofocus?: boolean
  /** Called with the selected object. */
  onPick?: (row: Row | undefined) => void
}

/** A field that refers to another object, selected from the given list. For other fields, reference.ts determines the list. */
export function ReferenceField<Row extends { pk: number }>({
  form,
  name,
  title,
  help,
  autofocus,
  onPick,
  ...source
}: Properties<Row>) {
  return (
    <Field
      form={form}
      name={name}
      title={title}
      help={help}
      autofocus={autofocus}
      control={(attributes) => (
        <Combobox
          source={source}
          value={form.values.value[name] as number | null}
          onPick={(row) => {
            form.values.value = { ...form.values.value, [name]: row?.pk ?? null }
            onPick?.(row)
          }}
          attributes={attributes}
        />
      )}
    />
  )
}

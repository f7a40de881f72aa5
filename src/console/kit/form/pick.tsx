import { Chooser, type Source } from './chooser.tsx'
import { Field, type Form } from './form.tsx'

type Properties<Row> = Source<Row> & {
  form: Form
  /** The field, which holds the key of what is chosen, or null. */
  name: string
  title?: string
  help?: string | null
  autofocus?: boolean
  /** Is told what was chosen. */
  onPick?: (row: Row | undefined) => void
}

/** A field that holds another object, out of a list that is narrowed here. Other fields choose by themselves: see reference.ts. */
export function Pick<Row extends { pk: number }>({ form, name, title, help, autofocus, onPick, ...from }: Properties<Row>) {
  return (
    <Field
      form={form}
      name={name}
      title={title}
      help={help}
      autofocus={autofocus}
      control={(attributes) => (
        <Chooser
          from={from}
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

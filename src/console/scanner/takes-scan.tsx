import type { Form } from '../kit/form/form.tsx'
import { useScans } from './scanner.ts'

/** Beside a field that asks for a code: what is scanned while the form is open is its value, whatever has the focus. */
export function TakesScan({ form, name }: { form: Form; name: string }) {
  useScans((code) => {
    form.values.value = { ...form.values.value, [name]: code }
  })
  return null
}

import type { MachineLabels } from '../../plugin-api/index.ts'
import { nativeFields } from './native.ts'
import { type BinarizationOptions, pictureField } from './picture.ts'

/** Converts labels to ZPL: one format (`^XA` to `^XZ`) for each, with the label's fields if the printer can draw them, otherwise with its picture. */
export function zplOf(
  { pixels, fields, width = 0, height = 0, count, copies }: MachineLabels,
  blackening: BinarizationOptions,
): string {
  if (!pixels || pixels.length !== width * height * count) throw new Error('the images of the labels are missing')
  const formats = Array.from({ length: count }, (_, at) => {
    const native = fields?.[at] && nativeFields(fields[at], { width, height })
    const picture = () => pictureField(pixels.subarray(at * width * height, (at + 1) * width * height), width, height, blackening)
    return `^XA^PW${width}^LL${height}^LH0,0${native ?? picture()}^PQ${copies}^XZ`
  })
  return `${formats.join('\n')}\n`
}

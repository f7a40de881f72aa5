import type { MachineLabels } from '../../plugin-api/index.ts'
import { formatNativeFields } from './native.ts'
import { type BinarizationOptions, formatPictureField } from './picture.ts'

/** Converts labels to ZPL: one format (`^XA` to `^XZ`) for each, with the label's fields if the printer can draw them, otherwise with its picture. */
export function toZpl(
  { pixels, fields, width = 0, height = 0, count, copies }: MachineLabels,
  options: BinarizationOptions,
): string {
  if (!pixels || pixels.length !== width * height * count) throw new Error('the images of the labels are missing')
  const formats = Array.from({ length: count }, (_, index) => {
    const native = fields?.[index] && formatNativeFields(fields[index], { width, height })
    const picture = () =>
      formatPictureField(pixels.subarray(index * width * height, (index + 1) * width * height), width, height, options)
    return `^XA^PW${width}^LL${height}^LH0,0${native ?? picture()}^PQ${copies}^XZ`
  })
  return `${formats.join('\n')}\n`
}
